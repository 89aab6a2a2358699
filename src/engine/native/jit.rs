//! Compiles the functions of a program with Cranelift.

use super::super::task::CodeQuality;
use super::code::Code;
use super::environment::Environment;
use super::helpers::Helpers;
use super::routine::{FunctionEmitter, FunctionKind};
use super::sightlines::SightlineCache;
use crate::compile::program::Program;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, verify_function};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleError, default_libcall_names};
use std::collections::{HashMap, HashSet};
use std::error::Error;

/// The most room that a function may take on the stack, in bytes. Threads have as little as two
/// megabytes.
fn most_room(kind: FunctionKind) -> u32 {
    match kind {
        // These call themselves for every ply that they look ahead.
        FunctionKind::Perft(_) | FunctionKind::Lookahead(_) => 1 << 15,
        _ => 1 << 18,
    }
}

/// Compiles functions, each kind once.
pub struct JitCompiler<'m> {
    program: &'m Program,
    environment: &'m Environment,
    sightlines: Option<&'m SightlineCache>,
    helpers: Helpers,
    signature: Signature,
    module: JITModule,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    declared: HashMap<FunctionKind, FuncId>,
    made: HashSet<FunctionKind>,
}

impl<'m> JitCompiler<'m> {
    pub fn new(
        program: &'m Program,
        environment: &'m Environment,
        sightlines: Option<&'m SightlineCache>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut flags = settings::builder();
        let (level, allocator) = match environment.quality {
            CodeQuality::Full => ("speed", "backtracking"),
            CodeQuality::Quick => ("none", "single_pass"),
        };
        for (name, value) in [
            ("opt_level", level),
            ("regalloc_algorithm", allocator),
            ("is_pic", "false"),
            ("unwind_info", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
        ] {
            flags.set(name, value)?;
        }
        // The verifier runs once, in `function`; Cranelift would run it after each of its passes.
        flags.set("enable_verifier", "false")?;
        let isa = cranelift_native::builder()?.finish(settings::Flags::new(flags))?;
        let convention = isa.default_call_conv();
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut signature = Signature::new(convention);
        signature.params.extend([AbiParam::new(types::I64); 4]);
        signature.returns.push(AbiParam::new(types::I64));
        let helpers = Helpers::new(environment.helpers, convention);
        let (context, builder) = (module.make_context(), FunctionBuilderContext::new());
        Ok(JitCompiler {
            program,
            environment,
            sightlines,
            helpers,
            signature,
            module,
            context,
            builder,
            declared: HashMap::new(),
            made: HashSet::new(),
        })
    }

    pub fn functions<const N: usize>(
        &mut self,
        kinds: [FunctionKind; N],
    ) -> Result<[FuncId; N], Box<ModuleError>> {
        let mut ids = Vec::with_capacity(N);
        for kind in kinds {
            ids.push(self.function(kind)?);
        }
        Ok(std::array::from_fn(|index| ids[index]))
    }

    /// Compiles a function. The functions that it calls must be compiled before
    /// [`JitCompiler::finish`].
    ///
    /// # Errors
    /// If the function would take too much room on the stack, or Cranelift refuses it.
    pub fn function(&mut self, kind: FunctionKind) -> Result<FuncId, Box<ModuleError>> {
        let id = self.declared(kind)?;
        if !self.made.insert(kind) {
            return Ok(id);
        }
        self.context.func.signature = self.signature.clone();
        let mut callees = HashMap::new();
        for callee in kind.callees(self.program) {
            let id = self.declared(callee)?;
            callees.insert(callee, self.module.declare_func_in_func(id, &mut self.context.func));
        }
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        FunctionEmitter::new(
            builder,
            self.program,
            self.environment,
            (&self.helpers, self.sightlines),
            kind,
            callees,
        )
        .write(self.module.target_config());
        if cfg!(debug_assertions) {
            verify_function(&self.context.func, self.module.isa())
                .map_err(|errors| Box::new(CodegenError::Verifier(errors).into()))?;
        }
        self.module.define_function(id, &mut self.context)?;
        let layout = self.context.compiled_code().and_then(|code| code.buffer.frame_layout());
        let size = layout.map_or(0, |layout| layout.frame_to_fp_offset);
        if size > most_room(kind) {
            return Err(Box::new(CodegenError::CodeTooLarge.into()));
        }
        self.module.clear_context(&mut self.context);
        Ok(id)
    }

    fn declared(&mut self, kind: FunctionKind) -> Result<FuncId, Box<ModuleError>> {
        if let Some(&id) = self.declared.get(&kind) {
            return Ok(id);
        }
        let id = self.module.declare_anonymous_function(&self.signature)?;
        debug_assert_eq!(self.module.declarations().get_function_decl(id).linkage, Linkage::Local);
        self.declared.insert(kind, id);
        Ok(id)
    }

    /// Links the functions, ready to be called.
    pub fn finish(mut self) -> Result<Code, Box<dyn Error>> {
        self.module.finalize_definitions().map_err(Box::new)?;
        Ok(Code::new(self.module))
    }
}
