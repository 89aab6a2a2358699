//! The compiled functions of a program, with untyped parameters: one implementation for all widths
//! of sets.

use super::super::background::Background;
use super::environment::Environment;
use super::jit::JitCompiler;
use super::routine::{FunctionKind, is_countable, suits};
use super::sightlines::SightlineCache;
use crate::compile::program::Program;
use cranelift_codegen::CodegenError;
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, ModuleError};
use std::error::Error;
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// A compiled function. Its parameters are the frame, room for move sets and its capacity, and the
/// queues. The function for playouts receives the history instead of the room, and the current
/// decision instead of the capacity.
pub type Function = unsafe extern "C" fn(*mut c_void, *mut c_void, u64, *mut c_void) -> u64;

/// The functions of a program for a board.
pub struct NativeCode {
    _code: Code,
    pub source: Arc<CompileInput>,
    pub specializations: Vec<[Function; 2]>,
    pub decisions: Vec<[Function; 7]>,
    /// By decision, where it is within `steps`.
    pub lookaheads: Vec<Option<Function>>,
    /// The function for playouts if they can be compiled, made on first demand: it takes longer to
    /// compile than all others.
    playout: Background<Option<PlayoutFunction>>,
    /// The functions for perft, made on first demand.
    counting: Background<Option<PerftFunctions>>,
}

/// The inputs of compilation.
pub struct CompileInput {
    pub program: Arc<Program>,
    environment: Environment,
}

/// The function for playouts.
struct PlayoutFunction {
    function: Function,
    _code: Code,
    /// The code points into it.
    _sightlines: SightlineCache,
}

/// The functions for perft: by decision, if its plies can be counted, the function for two plies
/// and the function for more.
struct PerftFunctions {
    functions: Vec<Option<[Function; 2]>>,
    _code: Code,
}

/// The memory of compiled functions. They must not be called after it is dropped.
pub struct Code(ManuallyDrop<JITModule>);

// SAFETY: the module is only kept for the memory of the functions; nothing reads or changes it
// after compilation until it is dropped. The functions are code and constant data, and change only
// what their callers pass.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// Takes over the memory of a module whose functions are ready to be called.
    pub fn new(module: JITModule) -> Code {
        Code(ManuallyDrop::new(module))
    }

    fn function(&self, id: FuncId) -> Function {
        let start = self.0.get_finalized_function(id);
        // SAFETY: the code was compiled for this signature, whose parameters all have the size of
        // an address, in the C calling convention, and lies in memory that is kept beside the
        // function.
        unsafe { std::mem::transmute::<*const u8, Function>(start) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the module is taken only here. No function can be called any more: that takes a
        // reference to the owner of this value.
        unsafe { ManuallyDrop::take(&mut self.0).free_memory() };
    }
}

/// Returns the result; `None` if the host is not supported. A program that Cranelift rejects is a
/// bug, unless its code would be too large.
fn expect_compiled<T>(made: Result<T, Box<dyn Error>>) -> Option<T> {
    if let Err(error) = &made {
        let refused = error.downcast_ref::<Box<ModuleError>>();
        let is_fault = refused.is_some_and(|error| {
            !matches!(**error, ModuleError::Compilation(CodegenError::CodeTooLarge))
        });
        debug_assert!(!is_fault, "{error:?}");
    }
    made.ok()
}

impl NativeCode {
    /// Compiles the functions; `None` if the host is not supported.
    pub fn new(program: &Arc<Program>, environment: Environment) -> Option<NativeCode> {
        expect_compiled(Self::try_compile(program, environment))
    }

    fn try_compile(
        program: &Arc<Program>,
        environment: Environment,
    ) -> Result<NativeCode, Box<dyn Error>> {
        let mut maker = JitCompiler::new(program, &environment, None)?;
        let mut specializations = Vec::new();
        for specialization in &program.specializations {
            let kinds =
                [FunctionKind::Just(specialization.apply), FunctionKind::Dry(specialization.apply)];
            specializations.push(maker.functions(kinds)?);
        }
        let mut decisions = Vec::new();
        for (index, decision) in program.decisions.iter().enumerate() {
            let index = index as u16;
            let kinds = [
                FunctionKind::Just(decision.generate_moves),
                FunctionKind::Just(
                    decision.steps.map_or(decision.generate_moves, |steps| steps.ending),
                ),
                FunctionKind::Just(program.end[decision.mover.index()]),
                FunctionKind::GoOn(index),
                FunctionKind::EndAndGoOn(index),
                FunctionKind::Flow(decision.otherwise),
                FunctionKind::Just(decision.proposals.unwrap_or(decision.generate_moves)),
            ];
            decisions.push(maker.functions(kinds)?);
        }
        let mut lookaheads = Vec::new();
        for (index, decision) in (0..).zip(&program.decisions) {
            lookaheads.push(
                decision
                    .steps
                    .map(|_| maker.function(FunctionKind::Lookahead(index)))
                    .transpose()?,
            );
        }
        let code = maker.finish()?;
        let function = |id: FuncId| code.function(id);
        Ok(NativeCode {
            specializations: specializations.into_iter().map(|ids| ids.map(function)).collect(),
            decisions: decisions.into_iter().map(|ids| ids.map(function)).collect(),
            lookaheads: lookaheads.into_iter().map(|id| id.map(function)).collect(),
            playout: Background::default(),
            counting: Background::default(),
            source: Arc::new(CompileInput { program: Arc::clone(program), environment }),
            _code: code,
        })
    }

    /// Tests if the function for playouts is available. If not, compiles it: now if
    /// `blocks_on_jit`, else in the background.
    #[inline(always)]
    pub fn can_run_playouts(&self, blocks_on_jit: bool) -> bool {
        self.is_there(&self.playout, blocks_on_jit, CompileInput::compile_playout)
    }

    /// Returns the function for playouts if it is available.
    #[inline(always)]
    pub fn playout_function(&self) -> Option<Function> {
        self.playout.get()?.as_ref().map(|playing| playing.function)
    }

    /// Tests if the functions for perft are available, as [`NativeCode::can_run_playouts`].
    #[inline(always)]
    pub fn can_count(&self, blocks_on_jit: bool) -> bool {
        self.is_there(&self.counting, blocks_on_jit, CompileInput::compile_perft)
    }

    /// Returns the functions for perft from a decision if they are available: the function for two
    /// plies and the function for more.
    pub fn perft_functions(&self, decision: u16) -> Option<[Function; 2]> {
        self.counting.get()?.as_ref().and_then(|counting| counting.functions[usize::from(decision)])
    }

    #[inline(always)]
    fn is_there<T: Send + Sync + 'static>(
        &self,
        code: &Background<Option<T>>,
        blocks_on_jit: bool,
        make: fn(&CompileInput) -> Option<T>,
    ) -> bool {
        match code.get() {
            Some(code) => code.is_some(),
            None if blocks_on_jit => code.wait(|| make(&self.source)).is_some(),
            None => {
                code.begin(|| {
                    let source = Arc::clone(&self.source);
                    move || make(&source)
                });
                false
            }
        }
    }
}

impl CompileInput {
    /// Compiles the function for playouts; `None` if that is impossible or does not pay.
    fn compile_playout(&self) -> Option<PlayoutFunction> {
        if suits(&self.program, self.environment.layout.width) {
            expect_compiled(self.try_compile_playout())
        } else {
            None
        }
    }

    fn try_compile_playout(&self) -> Result<PlayoutFunction, Box<dyn Error>> {
        let sightlines = SightlineCache::new(
            &self.program,
            &self.environment.tables,
            self.environment.layout.width,
        );
        let mut maker = JitCompiler::new(&self.program, &self.environment, Some(&sightlines))?;
        let id = maker.function(FunctionKind::Playout)?;
        let code = maker.finish()?;
        Ok(PlayoutFunction { function: code.function(id), _code: code, _sightlines: sightlines })
    }

    /// Compiles the functions for perft; `None` if that is impossible.
    fn compile_perft(&self) -> Option<PerftFunctions> {
        expect_compiled(self.try_compile_perft())
    }

    fn try_compile_perft(&self) -> Result<PerftFunctions, Box<dyn Error>> {
        let mut maker = JitCompiler::new(&self.program, &self.environment, None)?;
        let mut functions = Vec::new();
        for (index, decision) in (0..).zip(&self.program.decisions) {
            let kinds = [FunctionKind::Tally(index), FunctionKind::Perft(index)];
            functions.push(is_countable(decision).then(|| maker.functions(kinds)).transpose()?);
        }
        let code = maker.finish()?;
        let functions = functions
            .into_iter()
            .map(|ids| ids.map(|ids| ids.map(|id| code.function(id))))
            .collect();
        Ok(PerftFunctions { functions, _code: code })
    }
}
