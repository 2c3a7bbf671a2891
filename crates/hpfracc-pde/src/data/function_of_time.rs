use hpfracc_equation::{Graph, Id, Values, evaluate};

/// Function of t from an expression: variables in `times` are t, all others have these values.
pub(crate) fn function_of_time(
    graph: Graph,
    root: Id,
    times: Vec<u32>,
    values: Vec<f64>,
) -> impl Fn(f64) -> f64 + Send + Sync + use<> {
    move |t: f64| {
        let value = |(number, value): (usize, &f64)| {
            Values::Uniform(if times.contains(&(number as u32)) { t } else { *value })
        };
        let variables: Vec<Values<f64>> = values.iter().enumerate().map(value).collect();
        evaluate(&graph, &[root], &variables)[0]
    }
}
