use crate::Equation;
use crate::linear::Linearised;
use crate::scratch::Scratch;
use hpfracc_ode::{Differentiable, ShiftedJacobian, System};
use hpfracc_spatial::reductions::{dot, update};

/// Semi-discretisation of an [`Equation`]: a system of ordinary fractional differential equations,
/// with a component for each value of each field.
///
/// Implicit steps solve `(1/c + A - N'(u)) x = r` in n operations where A is tridiagonal, there is
/// one field and terms are pointwise; else by GMRES with `1/c + A - mean N'` of each field as
/// preconditioner, solved by transforms or by the shifted solves of the operator.
pub struct MethodOfLines<'a> {
    pub(crate) equation: Equation<'a>,
    /// Relative residual of linear solves.
    tolerance: f64,
    scratch: Scratch,
}

impl<'a> MethodOfLines<'a> {
    /// With linear solves to a relative residual of 1e-13, or that at which the shifted solves of
    /// the operator stop, if they are iterative.
    pub fn new(equation: Equation<'a>) -> Self {
        Self { equation, tolerance: 1e-13, scratch: Scratch::default() }
    }

    /// With another relative residual of iterative linear solves. Newton's iteration converges to
    /// the same solution, but tangents and gradients have this error. A solve whose residual stays
    /// above the square root of the tolerance fails.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The equation.
    pub fn equation(&self) -> &Equation<'a> {
        &self.equation
    }

    /// Writes the linear part, sources and boundary values, without the terms.
    pub(crate) fn linear_part(&self, t: f64, u: &[f64], f: &mut [f64]) {
        let equation = &self.equation;
        for field in 0..equation.field_count() {
            let range = equation.range(field);
            let (u, f) = (&u[range.clone()], &mut f[range]);
            equation.operator(field).apply(u, f);
            let c = equation.parameters()[field];
            update(f, |_, f| *f *= -c);
        }
        for boundary in &equation.boundaries {
            let c = equation.parameters()[boundary.field];
            boundary.add(t, c, &mut f[equation.range(boundary.field)]);
        }
        for source in &equation.sources {
            let amplitude = equation.parameters()[source.amplitude];
            source.add(t, amplitude, &equation.points, &mut f[equation.range(source.field)]);
        }
    }

    /// Adds the terms.
    pub(crate) fn add_terms(&self, t: f64, u: &[f64], f: &mut [f64]) {
        for (term, theta) in &self.equation.terms {
            term.add(&self.equation.state(t, u, theta), f);
        }
    }

    /// Calls `work` with the derivative of the right-hand side of a field with respect to its
    /// coefficient.
    fn by_coefficient<R>(
        &self,
        field: usize,
        t: f64,
        u: &[f64],
        work: impl FnOnce(&[f64]) -> R,
    ) -> R {
        let equation = &self.equation;
        self.scratch.with(equation.n(), |f| {
            equation.operator(field).apply(&u[equation.range(field)], f);
            f.iter_mut().for_each(|f| *f = -*f);
            let boundaries = equation.boundaries.iter().filter(|b| b.field == field);
            boundaries.for_each(|boundary| boundary.add(t, 1.0, f));
            work(f)
        })
    }
}

impl System for MethodOfLines<'_> {
    fn rhs(&self, t: f64, u: &[f64], f: &mut [f64]) {
        self.linear_part(t, u, f);
        self.add_terms(t, u, f);
    }

    fn dim(&self) -> Option<usize> {
        Some(self.equation.len())
    }

    fn shifted_jacobian(&self) -> Option<Box<dyn ShiftedJacobian + '_>> {
        Some(Box::new(Linearised::new(&self.equation, self.tolerance, true)))
    }
}

impl Differentiable for MethodOfLines<'_> {
    fn parameters(&self) -> &[f64] {
        self.equation.parameters()
    }

    fn vjp(&self, t: f64, u: &[f64], fbar: &[f64], ubar: &mut [f64], thetabar: &mut [f64]) {
        let equation = &self.equation;
        for field in 0..equation.field_count() {
            let range = equation.range(field);
            let (fbar, ubar) = (&fbar[range.clone()], &mut ubar[range]);
            let c = equation.parameters()[field];
            self.scratch.with(equation.n(), |product| {
                equation.operator(field).apply_transpose(fbar, product);
                ubar.iter_mut().zip(product).for_each(|(ubar, p)| *ubar -= c * *p);
            });
            thetabar[field] += self.by_coefficient(field, t, u, |change| dot(fbar, change));
        }
        for source in &equation.sources {
            let fbar = &fbar[equation.range(source.field)];
            thetabar[source.amplitude] += self.scratch.with(equation.n(), |product| {
                source.add(t, 1.0, &equation.points, product);
                dot(fbar, product)
            });
        }
        for (term, theta) in &equation.terms {
            let at = equation.state(t, u, theta);
            term.add_vjp(&at, fbar, ubar, &mut thetabar[theta.clone()]);
        }
    }

    fn jvp(&self, t: f64, u: &[f64], du: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let equation = &self.equation;
        for field in 0..equation.field_count() {
            let range = equation.range(field);
            equation.operator(field).apply(&du[range.clone()], &mut df[range.clone()]);
            let (c, dc) = (equation.parameters()[field], dtheta[field]);
            let df = &mut df[range];
            df.iter_mut().for_each(|df| *df *= -c);
            if dc != 0.0 {
                self.by_coefficient(field, t, u, |change| {
                    df.iter_mut().zip(change).for_each(|(df, change)| *df += dc * change);
                });
            }
        }
        for source in &equation.sources {
            let change = dtheta[source.amplitude];
            source.add(t, change, &equation.points, &mut df[equation.range(source.field)]);
        }
        for (term, theta) in &equation.terms {
            let at = equation.state(t, u, theta);
            term.add_jvp(&at, du, &dtheta[theta.clone()], df);
        }
    }
}
