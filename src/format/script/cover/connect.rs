//! Calls, connected with the functions that their callees may be, or with all that something unknown may do.

use crate::format::script::cover::Cover;
use crate::format::script::cover::call::{Call, CallKind, Frame, Passed};
use crate::format::script::cover::graph::{Edge, FOREIGN, Node, OBJECT, SHARED, WAYS};
use crate::format::script::cover::runtime::Method;
use crate::format::script::cover::sink::{Site, SiteKind};
use crate::value::span::Span;

impl Cover<'_> {
    /// A function is one of those that are not told apart.
    pub fn join_many(&mut self, function: usize) {
        let (given, this, returned) = self.many;
        let nodes = &self.functions[function];
        let (own_this, own_returned) = (nodes.this, nodes.returned);
        let lists: Vec<Node> = nodes.rest.into_iter().chain([nodes.arguments]).collect();
        for parameter in nodes.parameters.clone() {
            self.graph.same(given, parameter);
        }
        for list in lists {
            self.graph.edge(given, Edge::Soaks(list));
        }
        self.graph.same(this, own_this);
        self.graph.same(own_returned, returned);
    }

    /// Functions that are not told apart are called: true, if that was not known of the call.
    fn enter_many(&mut self, number: u32, node: Node, methods: bool) -> bool {
        let held = self.graph.held(node);
        let is_many = if methods { held.has_many } else { held.is_many };
        let Some(site) = self.calls.get_mut(number as usize) else { return false };
        is_many && !std::mem::replace(&mut site.is_many, true)
    }

    /// Connects a call with the functions that its callee may be.
    pub fn connect(&mut self, number: u32) {
        let Some(site) = self.calls.get_mut(number as usize) else { return };
        let kind = std::mem::replace(&mut site.kind, CallKind::Member(0, 0, false));
        match &kind {
            CallKind::Call(call) => self.connect_call(number, call),
            CallKind::Member(object, function, is_foreign) => {
                for nodes in self.newly(number, *function, false) {
                    let (this, returned) = (self.functions[nodes].this, self.functions[nodes].returned);
                    self.graph.same(*object, this);
                    self.graph.edge(returned, Edge::Field(*object));
                    for parameter in self.functions[nodes].parameters.clone() {
                        self.graph.edge(parameter, Edge::SameObject(*object));
                        if *is_foreign {
                            self.graph.edge(*object, Edge::Oozes(parameter));
                        }
                    }
                }
            }
            CallKind::Back(base, value, gives_back) => {
                if self.graph.held(*base).own & FOREIGN != 0 {
                    self.call_back(number, *base, *value, gives_back.then_some(*base));
                }
            }
            CallKind::Opens(base, node, name) => {
                if self.graph.held(*base).own & FOREIGN != 0 {
                    self.leads_out(*node, name);
                }
            }
            CallKind::Frame(base, node, frame) => self.tell_frame(number, *base, *node, *frame),
            CallKind::HearsAll(object) => {
                for nodes in self.newly(number, *object, true) {
                    self.hears_all(nodes);
                }
            }
            CallKind::Handlers(from, object) => self.call_methods(number, *from, *object),
        }
        if let Some(site) = self.calls.get_mut(number as usize) {
            site.kind = kind;
        }
    }

    /// What functions tell of how they are being called: any function of the script may be the one that calls.
    fn tell_frame(&mut self, number: u32, base: Node, node: Node, frame: Frame) {
        let is_many = self.enter_many(number, base, false);
        let new = self.newly(number, base, false);
        match frame {
            Frame::Arguments => {
                if is_many {
                    let given = self.many.0;
                    self.graph.edge(given, Edge::Field(node));
                }
                for function in new {
                    let passed = self.functions[function].arguments;
                    self.graph.same(passed, node);
                }
            }
            Frame::Caller if is_many || !new.is_empty() => {
                for function in 0..self.functions.len() {
                    self.graph.function(node, function as u32);
                }
            }
            Frame::Caller => {}
        }
    }

    /// The functions that a node may be and that a call is not connected with yet.
    fn newly(&mut self, number: u32, node: Node, methods: bool) -> Vec<usize> {
        let held = self.graph.held(node);
        let functions = if methods { held.methods.clone() } else { held.functions.clone() };
        let Some(site) = self.calls.get_mut(number as usize) else { return Vec::new() };
        let mut new = Vec::new();
        for function in functions {
            if let Err(at) = site.connected.binary_search(&function) {
                site.connected.insert(at, function);
                new.push(function as usize);
            }
        }
        new
    }

    pub fn connect_call(&mut self, number: u32, call: &Call) {
        if self.enter_many(number, call.callee, false) {
            let (given, this, returned) = self.many;
            for passed in &call.passed {
                let value = if passed.is_spread { self.element(passed.node) } else { passed.node };
                self.graph.same(value, given);
            }
            if let Some(object) = call.this {
                self.graph.same(object, this);
            }
            if call.is_new {
                self.graph.same(this, call.result);
                self.becomes(call, this);
                self.becomes(call, returned);
            }
            self.graph.same(returned, call.result);
        }
        for nodes in self.newly(number, call.callee, false) {
            self.enter(nodes, call);
        }
        if self.is_open(call) {
            self.open_once(number, call);
        } else if let Some(this) = call.this
            && self.graph.held(this).own & OBJECT == 0
        {
            self.undecided.push(number);
        }
    }

    fn open_once(&mut self, number: u32, call: &Call) {
        let Some(site) = self.calls.get_mut(number as usize) else { return };
        if !std::mem::replace(&mut site.is_opened, true) {
            self.open(call);
        }
    }

    /// Returns true if and only if what is called may be something that is not a function of the script.
    fn is_open(&self, call: &Call) -> bool {
        let held = self.graph.held(call.callee);
        if held.functions.is_empty() || held.own & FOREIGN != 0 {
            return true;
        }
        let (Some(this), Some(named)) = (call.this, call.named) else { return false };
        // Functions under names that are not known may stand under any; one of the runtime's may have the name of the script's own.
        let of = self.graph.held(this);
        let is_own = || of.has_many || held.functions.iter().any(|function| of.methods.binary_search(function).is_ok());
        let (own, is_many) = (&self.graph.held(named).functions, self.graph.held(named).is_many);
        own.is_empty() && !is_many || call.method != Method::Unknown && !is_own()
    }

    /// A method of something that is no object of the script is the runtime's, even where the script has one of that name. Which
    /// those are is known only once all is carried to its end. Returns true if and only if there were any.
    pub fn decide(&mut self) -> bool {
        let mut any = false;
        for number in std::mem::take(&mut self.undecided) {
            let Some(site) = self.calls.get_mut(number as usize).filter(|site| !site.is_opened) else { continue };
            let kind = std::mem::replace(&mut site.kind, CallKind::Member(0, 0, false));
            if let CallKind::Call(call) = &kind
                && call.this.is_some_and(|this| self.graph.held(this).own & OBJECT == 0)
            {
                any = true;
                self.open_once(number, call);
            }
            if let Some(site) = self.calls.get_mut(number as usize) {
                site.kind = kind;
            }
        }
        any
    }

    /// A function of the script is called.
    fn enter(&mut self, function: usize, call: &Call) {
        let nodes = &self.functions[function];
        let (parameters, rest, all) = (nodes.parameters.clone(), nodes.rest, nodes.arguments);
        let (this, returned, target) = (nodes.this, nodes.returned, nodes.target);
        let answer = nodes.answer;
        if let Some(condition) = call.under {
            self.graph.edge(condition, Edge::Answers(answer));
        }
        let mut at = 0;
        let mut is_spread = false;
        for passed in &call.passed {
            let value = if passed.is_spread { self.element(passed.node) } else { passed.node };
            is_spread |= passed.is_spread;
            let elements = self.elements;
            self.graph.edge(value, Edge::Same(elements));
            self.graph.edge(value, Edge::Field(all));
            if is_spread {
                for parameter in parameters.iter().skip(at) {
                    self.graph.same(value, *parameter);
                }
            } else if let Some(parameter) = parameters.get(at) {
                self.graph.same(value, *parameter);
            }
            if let Some(rest) = rest
                && (parameters.len() <= at || is_spread)
            {
                self.graph.same(value, elements);
                self.graph.edge(value, Edge::Field(rest));
                if passed.is_spread {
                    self.graph.edge(passed.node, Edge::Spread(rest));
                }
            }
            if !is_spread {
                at += 1;
            }
        }
        if let Some(object) = call.this {
            self.graph.same(object, this);
        }
        if call.is_new {
            self.graph.same(this, call.result);
            self.becomes(call, this);
            self.becomes(call, returned);
            self.graph.same(call.target.unwrap_or(call.callee), target);
        }
        self.graph.same(returned, call.result);
    }

    /// What `super(…)` makes or gives back is what `this` is from then on, with all that stands in it and is put into it.
    fn becomes(&mut self, call: &Call, made: Node) {
        if let Some(object) = call.this {
            self.graph.edge(made, Edge::Inherits(object));
            self.graph.edge(object, Edge::SameObject(made));
        }
    }

    /// Something that is not known is called.
    fn open(&mut self, call: &Call) {
        let result = call.result;
        self.graph.mark(result, FOREIGN);
        let gives_back = call.known.unwrap_or(true);
        match call.method {
            Method::Nothing => {
                for node in call.this.iter().copied().chain(call.passed.iter().map(|passed| passed.node)) {
                    self.graph.edge(node, Edge::Asks(result));
                }
                return;
            }
            Method::Puts if call.key.is_some() && call.known.is_none() => {
                if let (Some(this), Some(key), Some(value)) = (call.this, &call.key, call.passed.get(1)) {
                    let (value, elements) = (value.node, self.elements);
                    self.write(this, &format!("@{key}"), value);
                    self.graph.edge(value, Edge::Same(elements));
                    self.graph.same(this, result);
                }
                return;
            }
            Method::Takes if call.key.is_some() && call.known.is_none() => {
                if let (Some(this), Some(key)) = (call.this, &call.key) {
                    let kept = self.property(this, &format!("@{key}"));
                    self.graph.same(kept, result);
                }
                return;
            }
            Method::Elements | Method::Picks => return self.iterate(call),
            Method::Folds => return self.fold(call),
            Method::Copies => {
                for node in call.this.iter().copied().chain(call.passed.iter().map(|passed| passed.node)) {
                    self.graph.same(node, result);
                }
            }
            Method::Settles => return self.settles(call),
            Method::Element => {
                if let Some(this) = call.this {
                    let element = self.element(this);
                    self.graph.same(element, result);
                }
            }
            Method::Keys => {
                for passed in &call.passed {
                    self.graph.edge(passed.node, Edge::Oozes(result));
                }
            }
            Method::Assigns => {
                let mut passed = call.passed.iter().map(|passed| passed.node);
                if let Some(first) = passed.next() {
                    self.graph.same(first, result);
                    for other in passed {
                        self.graph.edge(other, Edge::Spread(first));
                    }
                }
            }
            Method::Makes | Method::Unknown | Method::Puts | Method::Takes => {
                if gives_back {
                    for passed in &call.passed {
                        let edge = if call.method == Method::Makes { Edge::Made(result) } else { Edge::Yields(result) };
                        self.graph.edge(passed.node, edge);
                    }
                    for node in call.this.iter().chain([&call.callee]) {
                        let edge =
                            if call.known.is_some() || call.method == Method::Makes { Edge::Made(result) } else { Edge::Yields(result) };
                        self.graph.edge(*node, edge);
                    }
                }
            }
        }
        if matches!(call.method, Method::Unknown | Method::Puts | Method::Takes) && call.known.is_none() {
            self.soak(call);
            // What is put into what it gives back may get into what it was asked of.
            self.graph.edge(result, Edge::BacksKept(call.callee));
            if let Some(this) = call.this {
                self.graph.edge(result, Edge::Backs(this));
                self.graph.edge(result, Edge::Hands(this));
                if call.method == Method::Unknown && !call.appends {
                    for passed in &call.passed {
                        self.graph.edge(this, Edge::Hands(passed.node));
                    }
                }
            }
            if call.is_view {
                for passed in &call.passed {
                    self.graph.edge(result, Edge::Backs(passed.node));
                }
            }
        }
        if call.tries {
            self.complains(call);
        }
        // What a server's handler answers goes to whoever asked, and comes back by no request.
        let gives_back = !self.answered.contains(&call.span);
        for passed in call.passed.clone() {
            self.add_call(CallKind::Back(result, passed.node, gives_back), &[passed.node]);
            let number = (self.calls.len() - 1) as u32;
            self.call_back(number, result, passed.node, gives_back.then_some(result));
            if call.writes_json {
                // Of what is written as JSON no other method is called.
                let writer = self.property(passed.node, "toJSON");
                self.add_call(CallKind::Back(result, writer, true), &[writer]);
                let number = (self.calls.len() - 1) as u32;
                self.call_back(number, result, writer, Some(result));
            } else if call.known.is_none() || call.is_new {
                self.add_call(CallKind::Handlers(result, passed.node), &[passed.node]);
                let number = (self.calls.len() - 1) as u32;
                self.call_methods(number, result, passed.node);
            }
        }
        // Handlers that are registered hear of all that the object is given later.
        if let Some(this) = call.this {
            self.graph.edge(this, Edge::Oozes(result));
            self.add_call(CallKind::Handlers(result, this), &[this]);
        }
    }

    /// An error of the runtime tells what the call was given: of what it is given in fields, only where the runtime looks at it.
    fn complains(&mut self, call: &Call) {
        let thrown = self.thrown;
        let callee = self.graph.held(call.callee).own;
        let is_looked_at = call.is_native && call.known.is_none();
        if !is_looked_at && (callee & SHARED == 0 || callee & WAYS != 0) {
            return;
        }
        for passed in &call.passed {
            let edge = if is_looked_at { Edge::Made(thrown) } else { Edge::Names(thrown) };
            self.graph.edge(passed.node, edge);
        }
    }

    /// What is passed to something unknown may be in all that it can reach.
    fn soak(&mut self, call: &Call) {
        for (at, passed) in call.passed.iter().enumerate() {
            for node in call.this.iter().chain([&call.callee]) {
                self.graph.edge(passed.node, Edge::Soaks(*node));
            }
            if call.is_new {
                self.graph.edge(passed.node, Edge::Soaks(call.result));
            }
            for (other, into) in call.passed.iter().enumerate() {
                if other != at && call.is_native {
                    self.graph.edge(passed.node, Edge::SoaksObject(into.node));
                }
            }
            if let Some(this) = call.this.filter(|_| !call.appends) {
                let edge = if call.is_native { Edge::SoaksObject(passed.node) } else { Edge::Fills(passed.node) };
                self.graph.edge(this, edge);
            }
        }
    }

    /// The functions that a node may be are called with what something yields.
    fn call_back(&mut self, number: u32, from: Node, functions: Node, result: Option<Node>) {
        if self.enter_many(number, functions, false) {
            self.many_called_with(from, result);
        }
        for nodes in self.newly(number, functions, false) {
            self.called_with(nodes, from, result);
        }
    }

    /// The methods of an object are called with what something yields.
    fn call_methods(&mut self, number: u32, from: Node, object: Node) {
        if self.enter_many(number, object, true) {
            self.many_called_with(from, Some(from));
        }
        for nodes in self.newly(number, object, true) {
            self.called_with(nodes, from, Some(from));
        }
    }

    fn many_called_with(&mut self, from: Node, result: Option<Node>) {
        let (given, this, returned) = self.many;
        self.hears(from, this, &[given]);
        self.gives(returned, result);
    }

    fn called_with(&mut self, function: usize, from: Node, result: Option<Node>) {
        let nodes = &self.functions[function];
        let (this, returned, parameters) =
            (nodes.this, nodes.returned, nodes.parameters.iter().chain([&nodes.target]).copied().collect::<Vec<_>>());
        let lists: Vec<Node> = nodes.rest.into_iter().chain([nodes.arguments]).collect();
        self.hears(from, this, &parameters);
        for list in lists {
            self.graph.edge(from, Edge::Soaks(list));
        }
        self.gives(returned, result);
    }

    /// A function's `this` and parameters are what something yields.
    fn hears(&mut self, from: Node, this: Node, parameters: &[Node]) {
        self.graph.edge(from, Edge::Made(this));
        for parameter in parameters {
            self.graph.edge(from, Edge::Yields(*parameter));
            self.graph.edge(*parameter, Edge::SameObject(from));
            self.graph.mark(*parameter, FOREIGN);
        }
    }

    /// What a function returns comes out of what called it.
    fn gives(&mut self, returned: Node, result: Option<Node>) {
        if let Some(result) = result {
            self.graph.edge(returned, Edge::Yields(result));
            self.graph.edge(returned, Edge::Soaks(result));
        }
    }

    /// Something of the runtime may be called by what it is passed to: a call that stands nowhere in the script.
    pub fn hidden_site(&mut self, span: Span, callee: Node, given: Node) {
        let passed = vec![Passed { node: given, is_spread: false }];
        self.sites.push(Site { span, callee: Some(callee), name: None, this: None, passed, texts: Vec::new(), kind: SiteKind::Hidden });
    }

    /// A function is called for each element of a list.
    fn iterate(&mut self, call: &Call) {
        let list = match call.this {
            Some(this) => this,
            None => return,
        };
        let element = self.element(list);
        let result = call.result;
        self.graph.mark(result, OBJECT);
        let mut answers = Vec::new();
        for passed in &call.passed {
            let (callee, nothing) = (passed.node, self.graph.node());
            self.hidden_site(call.span, callee, element);
            let arguments = [element, element, list].map(|node| Passed { node, is_spread: false });
            let passed = [arguments[0], arguments[1], arguments[2], arguments[0]].to_vec();
            let given = Call { is_native: true, ..Call::of(callee, passed, nothing, call.span) };
            self.add_call(CallKind::Call(Box::new(given)), &[callee]);
            let number = (self.calls.len() - 1) as u32;
            let elements = self.elements;
            self.graph.same(nothing, elements);
            self.graph.edge(nothing, Edge::Field(result));
            self.graph.same(nothing, result);
            self.graph.edge(callee, Edge::Made(result));
            answers.push(nothing);
            self.connect(number);
        }
        if call.method == Method::Picks {
            self.graph.same(list, result);
            self.graph.same(element, result);
            if call.is_repeated {
                for nothing in answers {
                    self.graph.edge(nothing, Edge::Tells(result));
                }
            }
        }
    }

    /// A function is called for each element of a list, each time with what it answered before: first, with what it is to begin with.
    fn fold(&mut self, call: &Call) {
        let Some(list) = call.this else { return };
        let Some(callee) = call.passed.first().map(|first| first.node) else { return };
        let (result, element) = (call.result, self.element(list));
        let (before, answer, place) = (self.graph.node(), self.graph.node(), self.graph.node());
        match call.passed.get(1) {
            Some(start) => self.graph.same(start.node, before),
            // A list that is spread may hold what it begins with, or not.
            None => self.graph.same(element, before),
        }
        if call.passed.iter().any(|passed| passed.is_spread) {
            self.graph.same(element, before);
        }
        self.hidden_site(call.span, callee, element);
        let passed = [before, element, place, list].map(|node| Passed { node, is_spread: false }).to_vec();
        let given = Call { is_native: true, ..Call::of(callee, passed, answer, call.span) };
        self.add_call(CallKind::Call(Box::new(given)), &[callee]);
        let number = (self.calls.len() - 1) as u32;
        self.graph.same(answer, before);
        self.graph.same(before, result);
        self.graph.edge(callee, Edge::Made(result));
        self.connect(number);
    }

    /// `then`, `catch` and `finally` of a promise.
    fn settles(&mut self, call: &Call) {
        let Some(promise) = call.this else { return };
        let (result, thrown) = (call.result, self.thrown);
        // What a promise is rejected with is not what it comes to.
        let either = if call.is_catch { self.graph.node() } else { self.either(&[promise]) };
        self.graph.edge(promise, Edge::Oozes(either));
        self.graph.edge(thrown, Edge::Same(either));
        for passed in &call.passed {
            self.hidden_site(call.span, passed.node, either);
            let given =
                Call { is_native: true, ..Call::of(passed.node, vec![Passed { node: either, is_spread: false }], result, call.span) };
            self.add_call(CallKind::Call(Box::new(given)), &[passed.node]);
            let number = (self.calls.len() - 1) as u32;
            self.connect(number);
        }
        let is_answered = call.is_then && call.passed.first().is_some_and(|first| !self.graph.held(first.node).functions.is_empty());
        if !is_answered {
            self.graph.same(promise, result);
        }
    }
}
