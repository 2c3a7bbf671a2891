//! Networks: `net f: x, v, t -> 64 tanh -> 2 from "drift.json"`.

use crate::equation::Net;
use crate::network::{Activation, Layers};
use crate::text::definitions::ABBREVIATION;
use crate::text::expression::{DefinitionDraft, Meaning, NetDraft, Parser, Uses};
use crate::text::statements::LONGEST_VECTOR;
use crate::text::syntax::{ErrorKind, Kind, Parsed, nearest, problem};
use std::ops::Range;

impl Parser<'_> {
    /// Reads the layers of a network, and gives its outputs their names: `f_1`, `f_2`, or `f` of one.
    pub(crate) fn declare_net(&mut self, tokens: &Range<usize>) -> Parsed<()> {
        self.at = tokens.start + 1;
        let token = self.next();
        let Kind::Name(id) = token.kind else { return Ok(()) };
        let name = self.names.name(id).to_owned();
        if name.starts_with(ABBREVIATION) {
            let what = format!("a network cannot be called `{name}`");
            return Err(problem(ErrorKind::Reserved, token.range(), what)
                .help("names with `_` in front abbreviate expressions"));
        }
        self.expect(Kind::Colon, "`:` and the inputs of the network")?;
        let first = self.at;
        while !matches!(self.peek().kind, Kind::Arrow | Kind::End) {
            self.at += 1;
        }
        let mut layers = vec![];
        while self.take(Kind::Arrow) {
            layers.push(self.layer()?);
        }
        let Some((outputs, _)) = layers.last().copied() else {
            return Err(self.expected("`->` and the width of a layer"));
        };
        let at = self.token(first).start..self.since(token.start).end;
        if !self.is_word(self.at, "from") {
            return Err(self.expected("an activation, `->` or `from`"));
        }
        self.at += 1;
        let file = self.expect(Kind::Quoted, "the name of a file in quotation marks")?;
        self.expect(Kind::End, "the end of the statement")?;
        if outputs > LONGEST_VECTOR {
            let what = format!("a network of {outputs} outputs, above {LONGEST_VECTOR}");
            return Err(problem(ErrorKind::Limit, at, what));
        }
        let definitions = self.draft.definitions.len();
        let meaning = match outputs {
            1 => Meaning::Definition(definitions),
            count => Meaning::Vector { first: definitions, count },
        };
        self.declare(id, &token.range(), meaning)?;
        let net = Some(self.draft.nets.len());
        for index in 0..outputs {
            let mut output = id;
            if outputs > 1 {
                output = self.names.number(&Net::output_name(&name, index, outputs));
                self.declare(output, &token.range(), Meaning::Definition(definitions + index))?;
            }
            let (name, name_at) = (output, token.range());
            let draft = DefinitionDraft { name, name_at, first, net, ..DefinitionDraft::default() };
            self.draft.definitions.push(draft);
        }
        let definitions = definitions..definitions + outputs;
        let net = NetDraft { name, at, file: file.range(), layers, definitions, inputs: vec![] };
        self.draft.nets.push(net);
        Ok(())
    }

    /// `64 tanh`
    fn layer(&mut self) -> Parsed<(usize, Activation)> {
        let token = self.peek();
        let Kind::Number(width) = token.kind else {
            return Err(self.expected("the width of a layer"));
        };
        self.at += 1;
        if !(width >= 1.0 && width == width.trunc() && width <= f64::from(u32::MAX)) {
            let what = format!("the width of a layer is {width}, expected 1, 2, 3, ...");
            return Err(problem(ErrorKind::Value, token.range(), what));
        }
        let word = self.peek();
        let activation = match word.kind {
            Kind::Name(id) if self.names.name(id) != "from" => self.names.name(id),
            _ => return Ok((width as usize, Activation::Identity)),
        };
        self.at += 1;
        let named = Activation::ALL.into_iter().find(|known| known.name() == activation);
        let Some(named) = named else {
            let names = Activation::ALL.map(Activation::name);
            let help = match nearest(activation, names.into_iter()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("the activations are {}", names.join(", ")),
            };
            let what = format!("unknown activation `{activation}`");
            return Err(problem(ErrorKind::UnknownName, word.range(), what).help(help));
        };
        Ok((width as usize, named))
    }

    /// Reads the inputs and the file of a network, and gives its outputs their values.
    pub(crate) fn read_net(&mut self, k: usize) -> Parsed<()> {
        let definitions = self.draft.nets[k].definitions.clone();
        if self.draft.definitions[definitions.start].value.is_some() {
            return Ok(());
        }
        (self.at, self.component) = (self.draft.definitions[definitions.start].first, None);
        let mut inputs = vec![];
        loop {
            let start = self.peek().start;
            let input = self.expression()?;
            if self.builder.facts(input).uses.any(Uses::INCREMENT) {
                let what = "a differential or noise in a network";
                return Err(problem(ErrorKind::Noise, self.since(start), what)
                    .help("write noises in the equations themselves"));
            }
            inputs.push(input);
            if !self.take(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::Arrow, "an operator, `,` or `->`")?;
        let net = &self.draft.nets[k];
        let path = &self.text[net.file.start + 1..net.file.end - 1];
        let network = self
            .files
            .network(path)
            .map_err(|what| problem(ErrorKind::File, net.file.clone(), what))?;
        if inputs.len() != network.inputs() || net.layers != network.shape() {
            let (name, declared) = (&net.name, Layers(&net.layers));
            let inputs = inputs.len();
            let what = format!("`{name}` is {inputs}{declared} here, and {network} in the file");
            return Err(problem(ErrorKind::File, net.at.clone(), what)
                .help("write the inputs and layers of the file"));
        }
        let (at, mut outputs) = (net.at.clone(), vec![]);
        self.builder.add(at, |graph| {
            outputs = graph.network(&network, &inputs);
            outputs[0]
        })?;
        for (definition, output) in self.draft.definitions[definitions].iter_mut().zip(outputs) {
            definition.value = Some(output);
        }
        self.draft.nets[k].inputs = inputs;
        Ok(())
    }
}
