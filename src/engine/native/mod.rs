//! A program as machine code of the computer at hand.
//!
//! In: a program and the tables of its board. Out: functions that do what [`Machine::run`](super::machine::Machine::run) does for the same routines, only faster:
//! an instruction costs the few operations that it is, and stretches that always follow one another (what ends the game, the order of play, the offers) are one
//! function. So are random games from beginning to end, counting sequences of plies, and looking ahead within `steps`. The code is made by Cranelift. Where there is none for the computer at hand, there is no [`Native`], and the machine interprets.
//!
//! - `words`, `wide`: operations on sets. `routine`: instructions. `views`: lines of sight that are kept from ply to ply. `helpers`: what is left to functions of the engine.

mod helpers;
mod routine;
mod views;
mod wide;
mod words;

use super::frame::{Frame, Offer, Queue};
use super::history::History;
use super::tables::Tables;
use super::task::{Called, Counted, Stop, Task};
use crate::compile::program::Program;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleError, default_libcall_names};
use helpers::Helpers;
use routine::{Recipe, Writer, is_countable, suits};
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::mem::ManuallyDrop;
use std::sync::{Arc, OnceLock};
use views::Views;

/// How a function says why it stopped: in the lowest eight bits, with what belongs to it above them.
mod status {
    pub const RETURN: u64 = 0;
    pub const FAIL: u64 = 1;
    pub const DECIDE: u64 = 2;
    pub const WIN: u64 = 3;
    pub const DRAW: u64 = 4;
    pub const ENDLESS: u64 = 5;
    /// There is no room for the offers. Nothing was done.
    pub const FULL: u64 = 6;
}

/// A function made from a routine. It is handed the frame, room for offers and how many it has room for, and the queues.
type Function<const W: usize> = unsafe extern "C" fn(*mut Frame<W>, *mut Offer<W>, u64, *mut Queue<W>) -> u64;

/// A function made for playouts. It is handed the frame, the history, the decision that play is at, and the queues.
type Rush<const W: usize> = unsafe extern "C" fn(*mut Frame<W>, *mut History, u64, *mut Queue<W>) -> u64;

/// The functions of a program for a board.
pub struct Native<const W: usize> {
    _code: Code,
    program: Arc<Program>,
    /// The functions point into it.
    tables: Arc<Tables<W>>,
    variations: Vec<[Function<W>; 2]>,
    decisions: Vec<[Function<W>; 7]>,
    /// By decision, where it is within `steps`.
    aheads: Vec<Option<Function<W>>>,
    /// Where playouts can be made in one function, once somebody has asked for it: it takes longer to make than all the others.
    playout: OnceLock<Option<Playing<W>>>,
    /// The functions that count sequences, once somebody has asked for them.
    counting: OnceLock<Option<Counting<W>>>,
}

/// The function for playouts.
struct Playing<const W: usize> {
    function: Rush<W>,
    _code: Code,
    /// The function points into it.
    _views: Views<W>,
}

/// The functions that count sequences: by decision, where its plies can be counted, that for two plies and that for more.
struct Counting<const W: usize> {
    functions: Vec<Option<[Function<W>; 2]>>,
    _code: Code,
}

/// The memory of functions. Those that were made in it are not called any more when it is dropped.
struct Code(ManuallyDrop<JITModule>);

// SAFETY: the module is only kept so that the memory of the functions lives; after it was made nothing reads or changes it until it is dropped. The functions
// are code and constant data, and change nothing but what their callers hand them.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    fn function<const W: usize>(&self, id: FuncId) -> Function<W> {
        let start = self.0.get_finalized_function(id);
        // SAFETY: the code was made for this signature, in the calling convention of C, and lies in memory that is kept beside the function.
        unsafe { std::mem::transmute::<*const u8, Function<W>>(start) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, here. Nobody can call a function any more: that takes a reference to what owns this value.
        unsafe { ManuallyDrop::take(&mut self.0).free_memory() };
    }
}

/// What was made; none where no code can be made for the computer at hand. That there is none for a program is a mistake.
fn sound<T>(made: Result<T, Box<dyn Error>>) -> Option<T> {
    if let Err(error) = &made {
        debug_assert!(!error.is::<Box<ModuleError>>(), "{error:?}");
    }
    made.ok()
}

impl<const W: usize> Native<W> {
    /// Makes the functions; none where no code can be made for the computer at hand.
    pub fn new(program: &Arc<Program>, tables: &Arc<Tables<W>>) -> Option<Native<W>> {
        sound(Self::made(program, tables))
    }

    fn made(program: &Arc<Program>, tables: &Arc<Tables<W>>) -> Result<Native<W>, Box<dyn Error>> {
        let mut maker = Maker::new(program, tables, None)?;
        let mut variations = Vec::new();
        for variation in &program.variations {
            let recipes = [Recipe::Just(variation.apply), Recipe::Dry(variation.apply)];
            variations.push(maker.functions(recipes)?);
        }
        let mut decisions = Vec::new();
        for (index, decision) in program.decisions.iter().enumerate() {
            let index = index as u16;
            let recipes = [
                Recipe::Just(decision.offer),
                Recipe::Just(decision.steps.map_or(decision.offer, |steps| steps.ending)),
                Recipe::Just(program.end[decision.mover.index()]),
                Recipe::GoOn(index),
                Recipe::EndAndGoOn(index),
                Recipe::Flow(decision.otherwise),
                Recipe::Just(decision.draws.unwrap_or(decision.offer)),
            ];
            decisions.push(maker.functions(recipes)?);
        }
        let mut aheads = Vec::new();
        for (index, decision) in (0..).zip(&program.decisions) {
            aheads.push(decision.steps.map(|_| maker.function(Recipe::Ahead(index))).transpose()?);
        }
        let code = maker.finish()?;
        let function = |id: FuncId| code.function(id);
        Ok(Native {
            variations: variations.into_iter().map(|ids| ids.map(function)).collect(),
            decisions: decisions.into_iter().map(|ids| ids.map(function)).collect(),
            aheads: aheads.into_iter().map(|id| id.map(function)).collect(),
            playout: OnceLock::new(),
            counting: OnceLock::new(),
            program: Arc::clone(program),
            tables: Arc::clone(tables),
            _code: code,
        })
    }

    fn made_to_play(&self) -> Result<Playing<W>, Box<dyn Error>> {
        let views = Views::new(&self.program, &self.tables);
        let mut maker = Maker::new(&self.program, &self.tables, Some(&views))?;
        let id = maker.function(Recipe::Playout)?;
        let code = maker.finish()?;
        let start = code.0.get_finalized_function(id);
        // SAFETY: the code was made for this signature, all of whose parameters are of the size of an address, in the calling convention of C, and lies in memory that is kept beside it.
        let function = unsafe { std::mem::transmute::<*const u8, Rush<W>>(start) };
        Ok(Playing { function, _code: code, _views: views })
    }

    /// The function for playouts, made when it is asked for the first time.
    fn playing(&self) -> Option<&Playing<W>> {
        self.playout.get_or_init(|| if suits(&self.program, W) { sound(self.made_to_play()) } else { None }).as_ref()
    }

    fn made_to_count(&self) -> Result<Counting<W>, Box<dyn Error>> {
        let mut maker = Maker::new(&self.program, &self.tables, None)?;
        let mut functions = Vec::new();
        for (index, decision) in (0..).zip(&self.program.decisions) {
            let recipes = [Recipe::Tally(index), Recipe::Perft(index)];
            functions.push(is_countable(decision).then(|| maker.functions(recipes)).transpose()?);
        }
        let code = maker.finish()?;
        let functions = functions.into_iter().map(|ids| ids.map(|ids| ids.map(|id| code.function(id)))).collect();
        Ok(Counting { functions, _code: code })
    }

    /// Does a task on a frame of this program, with room for offers behind those that there are.
    #[inline(always)]
    pub fn call(&self, task: Task, frame: &mut Frame<W>, room: &mut [Offer<W>], queues: &mut [Queue<W>]) -> Called {
        let function = match task {
            Task::Apply(variation) => self.variations[usize::from(variation)][0],
            Task::Attempt(variation) => self.variations[usize::from(variation)][1],
            Task::Offer(decision) => self.decisions[usize::from(decision)][0],
            Task::Ending(decision) => self.decisions[usize::from(decision)][1],
            Task::End(decision) => self.decisions[usize::from(decision)][2],
            Task::GoOn(decision) => self.decisions[usize::from(decision)][3],
            Task::EndAndGoOn(decision) => self.decisions[usize::from(decision)][4],
            Task::Otherwise(decision) => self.decisions[usize::from(decision)][5],
            Task::Draws(decision) => self.decisions[usize::from(decision)][6],
        };
        assert!(queues.len() >= usize::from(self.program.chains));
        // SAFETY: the function reads and writes the frame at offsets within it, offers only below the number given, queues only below `chains`, and calls
        // nothing but helpers with what it was handed, with the tables that it keeps alive, and with sets on its own stack.
        let status = unsafe { function(frame, room.as_mut_ptr(), room.len() as u64, queues.as_mut_ptr()) };
        stop(status).map_or(Called::Full, Called::Stop)
    }
}

impl<const W: usize> Native<W> {
    /// How many sequences begin at the decision with the offers that the first frame speaks of, of as many plies as there are frames. The position is in the first frame.
    pub fn perft(&self, decision: u16, frames: &mut [Frame<W>], room: &mut [Offer<W>], queues: &mut [Queue<W>]) -> Counted {
        let counting = self.counting.get_or_init(|| sound(self.made_to_count())).as_ref();
        let functions = counting.and_then(|counting| counting.functions[usize::from(decision)]);
        let (Some([tally, perft]), plies @ 2..) = (functions, frames.len()) else { return Counted::Unknown };
        frames[0].left = plies as u32;
        assert!(queues.len() >= usize::from(self.program.chains) && room.len() >= frames[0].offered as usize);
        let function = if plies == 2 { tally } else { perft };
        // SAFETY: as in `call`; of the offers those are read that are below the frame's number. A function calls another with the frame behind its own, down to the last frame but one.
        let status = unsafe { function(frames.as_mut_ptr(), room.as_mut_ptr(), room.len() as u64, queues.as_mut_ptr()) };
        match status & 0xff {
            status::RETURN => Counted::Sequences(status >> 8),
            status::FULL => Counted::Full,
            _ => Counted::Unknown,
        }
    }
}

impl<const W: usize> Native<W> {
    /// Whether as many further plies of the decision as there are frames can be made that the ending condition of `steps` holds then: [`Stop::Return`] where they can, [`Stop::Fail`] where they
    /// cannot, [`Stop::Endless`] where that is not found out by the rounds of the first frame. The position is in every frame. None where there is no room for the offers behind those that the first
    /// frame says there are, and nothing was done.
    pub fn ahead(&self, decision: u16, frames: &mut [Frame<W>], room: &mut [Offer<W>], queues: &mut [Queue<W>]) -> Option<Stop> {
        let plies = frames.len() as u64;
        let Some(function) = self.aheads[usize::from(decision)].filter(|_| plies > 0) else { return Some(Stop::Endless(0)) };
        assert!(queues.len() >= usize::from(self.program.chains));
        frames.iter_mut().for_each(|frame| frame.capacity = room.len() as u32);
        // SAFETY: as in `call`; the function calls itself with the frame behind its own and one ply less, and not with the last one.
        stop(unsafe { function(frames.as_mut_ptr(), room.as_mut_ptr(), plies, queues.as_mut_ptr()) })
    }

    /// Whether there is a function for random plies.
    pub fn can_rush(&self) -> bool {
        self.playing().is_some()
    }

    /// Makes random plies from a decision on, as many as the frame says at most, and gives why it stopped: [`Stop::Decide`] at a decision of which it is not known that it has a legal
    /// ply, or where there are no more plies to be made. None, with nothing done, where this is no way to play the game.
    #[inline(always)]
    pub fn rush(&self, decision: u16, frame: &mut Frame<W>, history: &mut History, queues: &mut [Queue<W>]) -> Option<Stop> {
        let function = self.playing()?.function;
        assert!(queues.len() >= usize::from(self.program.chains));
        // SAFETY: as in `call`; there is no offer, and the history is changed by the engine's own function.
        stop(unsafe { function(frame, history, u64::from(decision), queues.as_mut_ptr()) })
    }
}

/// What a status says; none where there was no room.
#[inline(always)]
fn stop(status: u64) -> Option<Stop> {
    let payload = (status >> 8) as u16;
    Some(match status & 0xff {
        status::RETURN => Stop::Return,
        status::FAIL => Stop::Fail(payload),
        status::DECIDE => Stop::Decide(payload),
        status::WIN => Stop::Win(payload as u8),
        status::DRAW => Stop::Draw,
        status::ENDLESS => Stop::Endless(payload),
        _ => return None,
    })
}

/// Makes functions, each recipe's once.
struct Maker<'m, const W: usize> {
    program: &'m Program,
    tables: &'m Tables<W>,
    views: Option<&'m Views<W>>,
    helpers: Helpers,
    signature: Signature,
    module: JITModule,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    declared: HashMap<Recipe, FuncId>,
    made: HashSet<Recipe>,
}

impl<'m, const W: usize> Maker<'m, W> {
    fn new(program: &'m Program, tables: &'m Tables<W>, views: Option<&'m Views<W>>) -> Result<Self, Box<dyn Error>> {
        let mut flags = settings::builder();
        for (name, value) in [("opt_level", "speed"), ("is_pic", "false"), ("unwind_info", "false"), ("use_colocated_libcalls", "false")] {
            flags.set(name, value)?;
        }
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" })?;
        let isa = cranelift_native::builder()?.finish(settings::Flags::new(flags))?;
        let convention = isa.default_call_conv();
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut signature = Signature::new(convention);
        signature.params.extend([AbiParam::new(types::I64); 4]);
        signature.returns.push(AbiParam::new(types::I64));
        let helpers = Helpers::new::<W>(convention);
        let (context, builder) = (module.make_context(), FunctionBuilderContext::new());
        Ok(Maker { program, tables, views, helpers, signature, module, context, builder, declared: HashMap::new(), made: HashSet::new() })
    }

    fn functions<const N: usize>(&mut self, recipes: [Recipe; N]) -> Result<[FuncId; N], Box<ModuleError>> {
        let mut ids = Vec::with_capacity(N);
        for recipe in recipes {
            ids.push(self.function(recipe)?);
        }
        Ok(std::array::from_fn(|index| ids[index]))
    }

    /// Makes a function. Those that it calls must be made, too, before the end.
    fn function(&mut self, recipe: Recipe) -> Result<FuncId, Box<ModuleError>> {
        let id = self.declared(recipe)?;
        if !self.made.insert(recipe) {
            return Ok(id);
        }
        self.context.func.signature = self.signature.clone();
        let mut callees = HashMap::new();
        for callee in recipe.callees(self.program) {
            let id = self.declared(callee)?;
            callees.insert(callee, self.module.declare_func_in_func(id, &mut self.context.func));
        }
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        Writer::new(builder, self.program, self.tables, (&self.helpers, self.views), recipe, callees).write(self.module.target_config());
        self.module.define_function(id, &mut self.context)?;
        self.module.clear_context(&mut self.context);
        Ok(id)
    }

    fn declared(&mut self, recipe: Recipe) -> Result<FuncId, Box<ModuleError>> {
        if let Some(&id) = self.declared.get(&recipe) {
            return Ok(id);
        }
        let id = self.module.declare_anonymous_function(&self.signature)?;
        debug_assert_eq!(self.module.declarations().get_function_decl(id).linkage, Linkage::Local);
        self.declared.insert(recipe, id);
        Ok(id)
    }

    /// Makes the functions ready to be called.
    fn finish(mut self) -> Result<Code, Box<dyn Error>> {
        self.module.finalize_definitions().map_err(Box::new)?;
        Ok(Code(ManuallyDrop::new(self.module)))
    }
}
