//! How much work the interpretation of a script may take: the more the likelier it is that an agent runs it.

/// Expressions that may be evaluated for each syntax node of the script, beside `limits.fuel`.
const FUEL_PER_NODE: u64 = 24;
/// The part of `limits.fuel` that a program gets which is no agent script, beside [`PROGRAM_FUEL_PER_NODE`].
const PROGRAM: u64 = 4;
/// The same as [`FUEL_PER_NODE`] for such a program.
const PROGRAM_FUEL_PER_NODE: u64 = 12;
/// The part of the fuel of such a program that is kept for its end: from there on each call is only looked at once.
const LOOKS: u64 = 4;
/// Expressions for which functions of an agent script are followed call by call; then each is followed once for
/// all of its calls.
const INLINE_AGENT: u64 = 60_000;
/// The same for a script that calls no tools, beside [`NODES_PER_INLINE`].
const INLINE: u64 = 500;
/// The same at most for a script of few nodes, which costs little whatever it does.
const INLINE_SMALL: u64 = 16_000;
/// The same for each of its nodes, beside [`INLINE_FEW`]. Measured over 3,600 scripts: what is followed beyond that decides no verdict.
const INLINE_PER_NODE: u64 = 24;
/// The same for the smallest script.
const INLINE_FEW: u64 = 4_000;
/// How many syntax nodes are many: those of a bundle.
const LARGE: u64 = 40_000;
/// How many syntax nodes are few.
const SMALL: u64 = 1_500;
/// For so many syntax nodes one expression is evaluated more.
const NODES_PER_INLINE: u64 = 2;
/// A script of more syntax nodes is a program that happens to speak of tools.
const AGENT_SCRIPT: u64 = 60_000;

/// How much work an interpretation may take, in expressions.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Expressions that may be evaluated.
    pub fuel: u64,
    /// Those of them for which functions are followed call by call.
    pub inline: u64,
    /// The fuel that is left when nothing is followed again any more.
    pub looks: u64,
    /// The script is a bundle.
    pub is_for_large: bool,
}

impl Effort {
    /// The effort for a script of so many syntax nodes; `fuel` is `limits.fuel`.
    pub fn of(may_call_tools: bool, nodes: u32, fuel: u32) -> Self {
        let nodes = u64::from(nodes);
        let is_for_agent = may_call_tools && nodes < AGENT_SCRIPT;
        let inline = if is_for_agent {
            INLINE_AGENT
        } else if nodes < SMALL {
            INLINE_SMALL.min(INLINE_FEW + INLINE_PER_NODE * nodes)
        } else {
            INLINE + nodes / NODES_PER_INLINE
        };
        // A program that happens to reach outside is not worth as much as a script that calls tools.
        let fuel = u64::from(fuel);
        if is_for_agent {
            return Self { fuel: fuel + FUEL_PER_NODE * nodes, inline, looks: 0, is_for_large: LARGE < nodes };
        }
        let fuel = fuel / PROGRAM + PROGRAM_FUEL_PER_NODE * nodes;
        let looks = fuel / LOOKS;
        Self { fuel: fuel + looks, inline, looks, is_for_large: LARGE < nodes }
    }
}
