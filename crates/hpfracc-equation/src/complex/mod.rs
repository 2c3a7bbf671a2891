//! Formulas of complex numbers: their real and imaginary parts as formulas of real ones.

mod arithmetic;

use crate::equation::{Equation, Formula, Named, Symbol};
use crate::graph::{Binary, Graph, Id, Node, Unary};
use arithmetic::{Arithmetic, Complex};

/// Function of a complex number that has no formula here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{function}` of a complex number: expected `+`, `-`, products, quotients, powers with a real exponent, `sqrt`, `exp`, \
     `expm1`, `ln`, `sinh`, `cosh`, `tanh` or `abs`"
)]
pub struct NoComplexFunction {
    /// Name of the function.
    pub function: &'static str,
}

impl Formula {
    /// Real and imaginary part of a formula in which columns have constant complex values `(re, im)`; other columns and
    /// parameters are real.
    ///
    /// Powers and logarithms have their principal values. A base without a real part, such as `i omega`, has to have a
    /// positive imaginary part: the power of a negative one is NaN.
    ///
    /// ```
    /// use hpfracc_equation::Formula;
    ///
    /// let impedance = Formula::parse("Z = R + 1/(i omega C)", &["omega", "i"])?;
    /// let [re, im] = impedance.complex_parts(&[("i", (0.0, 1.0))])?;
    /// assert_eq!(re.columns(), Vec::<&str>::new());
    /// assert_eq!(im.columns(), ["omega"]);
    /// assert_eq!(re.to_string(), "Z = R");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NoComplexFunction`].
    pub fn complex_parts(
        &self,
        columns: &[(&str, (f64, f64))],
    ) -> Result<[Self; 2], NoComplexFunction> {
        let old = self.graph();
        let values: Vec<(u32, (f64, f64))> = columns
            .iter()
            .filter_map(|(name, value)| {
                let state = self.equation.state_index(name)?;
                Some((self.equation.variable(Symbol::State(state))?, *value))
            })
            .collect();
        let mut graph = old.without_nodes();
        let mut numbers = vec![Complex { re: None, im: None }; old.len()];
        for (k, needed) in old.needed(&[self.root()]).into_iter().enumerate() {
            if needed {
                numbers[k] = number(&mut graph, old.nodes()[k], &numbers, &values)?;
            }
        }
        let root = numbers[self.root().index()];
        let mut arithmetic = Arithmetic { graph: &mut graph };
        let roots = [arithmetic.node(root.re), arithmetic.node(root.im)];
        Ok(roots.map(|root| self.with_root(&graph, root)))
    }

    fn with_root(&self, graph: &Graph, root: Id) -> Self {
        let equation = Equation {
            graph: graph.clone(),
            symbols: self.equation.symbols.clone(),
            states: self.equation.states.clone(),
            parameters: self.equation.parameters.clone(),
            shown: vec![Named { name: String::new(), value: root }],
            ..Equation::default()
        };
        Self { equation, response: self.response.clone() }
    }
}

/// Complex number of a node whose operands have theirs.
fn number(
    graph: &mut Graph,
    node: Node,
    numbers: &[Complex],
    values: &[(u32, (f64, f64))],
) -> Result<Complex, NoComplexFunction> {
    if let Node::Variable(variable) = node {
        let value = values.iter().find(|(known, _)| *known == variable);
        return Ok(match value {
            Some((_, (re, im))) => {
                let mut part = |x: f64| (x != 0.0).then(|| graph.constant(x));
                Complex { re: part(*re), im: part(*im) }
            }
            None => Complex::real(graph.add(node)),
        });
    }
    let mut math = Arithmetic { graph };
    let of = |id: Id| numbers[id.index()];
    if node.operands().all(|operand| of(operand).im.is_none()) {
        let node = node.with_operands(|operand| math.node(of(operand).re));
        return Ok(Complex::real(graph.add(node)));
    }
    let none = Err(NoComplexFunction { function: node.name() });
    Ok(match node {
        Node::Unary(operation, a) => match operation {
            Unary::Negate => math.negate(of(a)),
            Unary::Absolute => Complex::real(math.modulus(of(a))),
            Unary::SquareRoot => {
                let half = math.graph.constant(0.5);
                math.power(of(a), half)
            }
            Unary::Exp => math.exp(of(a)),
            Unary::ExpM1 => math.exp_m1(of(a)),
            Unary::Ln => math.ln(of(a)),
            Unary::Sinh => math.hyperbolic(Unary::Sinh, Unary::Cosh, of(a)),
            Unary::Cosh => math.hyperbolic(Unary::Cosh, Unary::Sinh, of(a)),
            Unary::Tanh => math.tanh(of(a)),
            _ => return none,
        },
        Node::Binary(operation, a, b) => match operation {
            Binary::Add => math.add(of(a), of(b)),
            Binary::Subtract => math.subtract(of(a), of(b)),
            Binary::Multiply => math.multiply(of(a), of(b)),
            Binary::Divide => math.divide(of(a), of(b)),
            Binary::Power if of(b).im.is_none() => {
                let exponent = math.node(of(b).re);
                math.power(of(a), exponent)
            }
            _ => return none,
        },
        _ => return none,
    })
}
