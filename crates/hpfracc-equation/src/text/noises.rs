//! Noises: which names they are, their processes and correlations.

use super::expression::{Facts, Meaning, NoiseDraft, Parser, Uses};
use super::statements::Statement;
use super::syntax::{ErrorKind, Kind, NameId, Parsed, Token, problem};
use crate::equation::{Correlation, Jump, Process};
use crate::graph::Id;
use std::ops::Range;

/// Most noises of an equation.
const MOST_NOISES: usize = 256;

impl Parser<'_> {
    /// Gives the names of declared noises their meanings: `B = fbm(H)`.
    pub(crate) fn declare_noises(&mut self, statements: &[Range<usize>]) -> Parsed<()> {
        for tokens in statements {
            let (first, third) = (self.token(tokens.start), tokens.start + 2);
            let Kind::Name(id) = first.kind else { continue };
            let process = ["brownian", "fbm", "stable", "poisson"];
            let is_process = process.iter().any(|word| self.is_word(third, word));
            let is_call = self.token(third + 1).kind == Kind::Open;
            if tokens.len() > 4
                && self.token(tokens.start + 1).kind == Kind::Equal
                && is_process
                && is_call
            {
                self.new_noise(id, first.range(), Process::Brownian)?;
            }
        }
        Ok(())
    }

    fn new_noise(&mut self, id: NameId, at: Range<usize>, process: Process) -> Parsed<usize> {
        let noise = self.draft.noises.len();
        if noise == MOST_NOISES {
            let what = format!("more than {MOST_NOISES} noises");
            return Err(problem(ErrorKind::Limit, at, what));
        }
        self.declare(id, &at, Meaning::Noise(noise))?;
        let name = self.names.name(id).to_string();
        self.draft.noises.push(NoiseDraft { name, process, vector: false });
        Ok(noise)
    }

    /// Whether a name is the differential of a noise: `dW`.
    pub(crate) fn is_noise_name(&mut self, name: &str) -> bool {
        let Some(noise) = name.strip_prefix('d') else { return false };
        match self.names.find(noise).map(|id| self.meaning(id)) {
            Some(Meaning::Noise(_)) => true,
            None | Some(Meaning::Unknown) => is_brownian_name(noise),
            _ => false,
        }
    }

    /// Whether a token is `dt` or the differential of a noise.
    pub(crate) fn is_differential(&mut self, token: usize) -> bool {
        let Kind::Name(id) = self.token(token).kind else { return false };
        let name = self.names.name(id).to_string();
        name == "dt" || self.is_noise_name(&name)
    }

    /// Noise whose differential a name is. W, W1, B and so on become Brownian when they are first seen.
    pub(crate) fn noise_of_differential(
        &mut self,
        id: NameId,
        token: Token,
    ) -> Parsed<Option<usize>> {
        let name = self.names.name(id).to_string();
        let Some(noise) = name.strip_prefix('d').filter(|_| self.is_noise_name(&name)) else {
            return Ok(None);
        };
        let id = self.names.number(noise);
        let whole = match self.meaning(id) {
            Meaning::Noise(known) => known,
            _ => self.new_noise(id, token.range(), Process::Brownian)?,
        };
        let Some(component) = self.component else { return Ok(Some(whole)) };
        // The noise of a vector equation has a component for each row.
        self.draft.noises[whole].vector = true;
        let id = self.names.number(&format!("{noise}_{}", component.index + 1));
        match self.meaning(id) {
            Meaning::Noise(known) => Ok(Some(known)),
            _ => {
                let process = self.draft.noises[whole].process;
                self.new_noise(id, token.range(), process).map(Some)
            }
        }
    }

    /// `B = fbm(H)`
    pub(crate) fn read_noise(&mut self, statement: &Statement) -> Parsed<()> {
        self.at = statement.tokens.start;
        let Kind::Name(id) = self.next().kind else { return Err(self.expected("a name")) };
        let Meaning::Noise(noise) = self.meaning(id) else {
            return Err(self.expected("a noise"));
        };
        self.at += 1;
        let word = self.next();
        let start = word.start;
        let arguments = match self.text[word.range()].as_ref() {
            "brownian" => {
                self.expect(Kind::Open, "`(`")?;
                self.expect(Kind::Close, "`)`")?;
                None
            }
            "fbm" => Some(Process::Fractional { hurst: self.only_argument()? }),
            "stable" => Some(self.stable()?),
            "poisson" => Some(self.poisson()?),
            _ => {
                let what = format!("`{}` is defined twice", self.names.name(id));
                return Err(problem(ErrorKind::Duplicate, word.range(), what));
            }
        };
        let at = self.since(start);
        self.expect(Kind::End, "the end of the statement")?;
        let process = arguments.unwrap_or(Process::Brownian);
        self.check_process(process, at)?;
        self.draft.noises[noise].process = process;
        Ok(())
    }

    fn only_argument(&mut self) -> Parsed<Id> {
        self.expect(Kind::Open, "`(`")?;
        let argument = self.bracketed()?;
        self.expect(Kind::Close, "`)`")?;
        Ok(argument)
    }

    fn stable(&mut self) -> Parsed<Process> {
        self.expect(Kind::Open, "`(`")?;
        let index = self.bracketed()?;
        let skewness = match self.take(Kind::Comma) {
            true => self.bracketed()?,
            false => self.builder.constant(0.0),
        };
        self.expect(Kind::Close, "`)`")?;
        Ok(Process::Stable { index, skewness })
    }

    fn poisson(&mut self) -> Parsed<Process> {
        self.expect(Kind::Open, "`(`")?;
        let rate = self.bracketed()?;
        let jump = match self.take(Kind::Comma) {
            true => self.jump()?,
            false => Jump::Constant(self.builder.constant(1.0)),
        };
        self.expect(Kind::Close, "`)`")?;
        Ok(Process::Poisson { rate, jump })
    }

    /// `normal(m, s)`, `double_exponential(p, up, down)` or a number.
    fn jump(&mut self) -> Parsed<Jump> {
        let call = self.token(self.at + 1).kind == Kind::Open;
        let count = match self.peek().kind {
            Kind::Name(id) if call => match self.names.name(id) {
                "normal" => 2,
                "double_exponential" => 3,
                _ => 0,
            },
            _ => 0,
        };
        if count == 0 {
            return self.bracketed().map(Jump::Constant);
        }
        self.at += 1;
        self.expect(Kind::Open, "`(`")?;
        let mut values = vec![self.bracketed()?];
        while values.len() < count {
            self.expect(Kind::Comma, "`,`")?;
            values.push(self.bracketed()?);
        }
        self.expect(Kind::Close, "`)`")?;
        Ok(match values[..] {
            [mean, standard_deviation] => Jump::Normal { mean, standard_deviation },
            [upward, mean_up, mean_down] => Jump::DoubleExponential { upward, mean_up, mean_down },
            _ => Jump::Constant(values[0]),
        })
    }

    fn check_process(&self, process: Process, at: Range<usize>) -> Parsed<()> {
        for id in process.expressions() {
            self.check_uniform(id, at.clone(), "a number of a noise")?;
        }
        let value = |id| self.builder.facts(id).value;
        let (what, found, expected, fine) = match process {
            Process::Brownian => return Ok(()),
            Process::Fractional { hurst } => {
                let h = value(hurst);
                ("Hurst exponent", h, "a number in (0, 1)", h > 0.0 && h < 1.0)
            }
            Process::Stable { index, skewness } => {
                let (a, b) = (value(index), value(skewness));
                if b.abs() <= 1.0 {
                    ("index of stability", a, "a number in (0, 2]", a > 0.0 && a <= 2.0)
                } else {
                    ("skewness", b, "a number in [-1, 1]", false)
                }
            }
            Process::Poisson { rate, jump } => {
                let rate = value(rate);
                match jump {
                    _ if rate < 0.0 => ("rate of jumps", rate, "a number from 0 on", false),
                    Jump::Normal { standard_deviation, .. } => {
                        let s = value(standard_deviation);
                        ("standard deviation", s, "a number from 0 on", s >= 0.0)
                    }
                    Jump::DoubleExponential { upward, mean_up, mean_down } => {
                        let p = value(upward);
                        let means = value(mean_up).min(value(mean_down));
                        match (0.0..=1.0).contains(&p) {
                            true => ("mean size of jumps", means, "a positive number", means > 0.0),
                            false => {
                                ("probability of a jump upward", p, "a number in [0, 1]", false)
                            }
                        }
                    }
                    Jump::Constant(_) => return Ok(()),
                }
            }
        };
        match fine {
            true => Ok(()),
            false => {
                let what = format!("the {what} is {found}, expected {expected}");
                Err(problem(ErrorKind::Noise, at, what))
            }
        }
    }

    /// Only numbers and parameters.
    pub(crate) fn check_uniform(&self, id: Id, at: Range<usize>, what: &str) -> Parsed<()> {
        let Facts { uses, value, .. } = self.builder.facts(id);
        let kind = ErrorKind::Value;
        if uses.any(Uses::INCREMENT) {
            return Err(problem(ErrorKind::Noise, at, format!("{what} depends on a noise")));
        }
        if uses.varies() {
            let what = format!("{what} depends on {}", self.varying());
            return Err(problem(kind, at, what).help("write it with numbers and parameters only"));
        }
        if !value.is_finite() {
            return Err(problem(kind, at, format!("{what} has no finite value: {value}")));
        }
        Ok(())
    }

    /// `corr(W, B) = rho`
    pub(crate) fn read_correlation(&mut self, statement: &Statement) -> Parsed<()> {
        self.at = statement.tokens.start + 1;
        let start = self.token(statement.tokens.start).start;
        self.expect(Kind::Open, "`(`")?;
        let first = self.brownian()?;
        self.expect(Kind::Comma, "`,`")?;
        let second = self.brownian()?;
        self.expect(Kind::Close, "`)`")?;
        let at = self.since(start);
        if first == second {
            return Err(problem(
                ErrorKind::Noise,
                at,
                "the correlation of a noise with itself is 1",
            ));
        }
        let known = |c: &&(Correlation, _)| {
            [(first, second), (second, first)].contains(&(c.0.first, c.0.second))
        };
        if self.draft.correlations.iter().any(|c| known(&c)) {
            return Err(problem(ErrorKind::Duplicate, at, "this correlation is given twice"));
        }
        self.expect(Kind::Equal, "`=`")?;
        let start = self.peek().start;
        let value = self.expression()?;
        let at = self.since(start);
        self.expect(Kind::End, "an operator or the end of the statement")?;
        self.check_uniform(value, at.clone(), "a correlation")?;
        let number = self.builder.facts(value).value;
        if number.abs() > 1.0 {
            let what = format!("the correlation is {number}, expected a number in [-1, 1]");
            return Err(problem(ErrorKind::Noise, at, what));
        }
        self.draft.correlations.push((Correlation { first, second, value }, at));
        Ok(())
    }

    fn brownian(&mut self) -> Parsed<usize> {
        let token = self.next();
        let Kind::Name(id) = token.kind else {
            self.at -= usize::from(token.kind != Kind::End);
            return Err(self.expected("the name of a noise"));
        };
        match self.meaning(id) {
            Meaning::Noise(noise) if self.draft.noises[noise].vector => {
                let name = self.names.name(id);
                let what = format!("`{name}` is a noise of several components");
                Err(problem(ErrorKind::Noise, token.range(), what)
                    .help(format!("write `{name}_1` and so on")))
            }
            Meaning::Noise(noise) if self.draft.noises[noise].process == Process::Brownian => {
                Ok(noise)
            }
            Meaning::Noise(_) => {
                let what = "only Brownian noises can be correlated";
                Err(problem(ErrorKind::Noise, token.range(), what))
            }
            _ => {
                let name = self.names.name(id);
                let what = format!("`{name}` is no noise of this equation");
                Err(problem(ErrorKind::Noise, token.range(), what))
            }
        }
    }
}

/// W, W1, W_x, B, B2: Brownian motions without a declaration.
pub(crate) fn is_brownian_name(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(['W', 'B']) else { return false };
    rest.starts_with('_') || rest.bytes().all(|byte| byte.is_ascii_digit())
}
