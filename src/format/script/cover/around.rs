//! Functions as nodes, and what the one around is.

use crate::format::script::cover::Cover;
use crate::format::script::cover::graph::Node;

/// A function of the script.
pub struct FunctionNodes {
    /// Its parameters.
    pub parameters: Vec<Node>,
    /// The list of all further ones.
    pub rest: Option<Node>,
    /// All that it is passed, as a list.
    pub arguments: Node,
    /// Its `this`.
    pub this: Node,
    /// What it returns; of a class, its instances.
    pub returned: Node,
    /// The answers on which it depends whether it is called.
    pub answer: Node,
    /// Its `new.target`: what it is called as to make an instance.
    pub target: Node,
}

/// The function around what is being read.
#[derive(Clone, Copy, Default)]
pub struct Around {
    pub this: Option<Node>,
    pub returned: Option<Node>,
    pub arguments: Option<Node>,
    /// What the class around extends.
    pub parent: Option<Node>,
    /// Its `new.target`.
    pub target: Option<Node>,
    /// The answers on which it depends whether it is called.
    pub answer: Option<Node>,
    /// Its number.
    pub number: Option<u32>,
}

impl Cover<'_> {
    pub fn innermost(&self) -> Around {
        self.around.last().copied().unwrap_or_default()
    }

    /// `this`.
    pub fn this(&mut self) -> Node {
        match self.innermost().this {
            Some(this) => this,
            None => {
                // At the top it is the exports of a module, or the global object.
                let (all, module, exports) = (self.global("globalThis"), self.global("module"), self.global("exports"));
                let of_module = self.property(module, "exports");
                self.graph.same(of_module, exports);
                self.either(&[all, exports, of_module])
            }
        }
    }

    /// `new.target`.
    pub fn new_target(&mut self) -> Node {
        match self.innermost().target {
            Some(target) => target,
            None => self.graph.node(),
        }
    }

    /// `arguments` of the function around.
    pub fn own_arguments(&self) -> Option<Node> {
        self.innermost().arguments
    }

    /// The parameters of the function around.
    pub fn own_parameters(&self) -> Vec<Node> {
        let number = self.innermost().number;
        number.and_then(|number| self.functions.get(number as usize)).map_or_else(Vec::new, |nodes| nodes.parameters.clone())
    }

    /// A function of what all objects inherit hears of all data.
    pub fn hears_all(&mut self, function: usize) {
        let all = self.origins.values().fold(0, |all, marks| all | marks);
        let nodes = &self.functions[function];
        let (parameters, this) = (nodes.parameters.clone(), nodes.this);
        for node in parameters.into_iter().chain([this]) {
            self.graph.mark(node, all);
        }
    }

    /// What the function around returns.
    pub fn returned(&mut self) -> Node {
        match self.innermost().returned {
            Some(returned) => returned,
            None => self.graph.node(),
        }
    }

    /// `arguments`.
    pub fn listed_arguments(&mut self) -> Node {
        match self.innermost().arguments {
            Some(arguments) => arguments,
            None => self.global("arguments"),
        }
    }

    /// What the class around extends, as the callee of `super(…)`.
    pub fn parent(&mut self) -> Option<Node> {
        self.innermost().parent
    }
}
