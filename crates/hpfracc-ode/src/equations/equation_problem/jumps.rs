use hpfracc_equation::{Binary, Equation, Id, Node, Symbol, Unary};

/// Whether expressions may jump at a time: conditions on it, its integer parts and signs, slopes of tables
/// at it. Derivatives with respect to a shift of time lack what the jump contributes.
pub(super) fn may_jump_in_time(equation: &Equation, expressions: &[Id]) -> bool {
    let (graph, time) = (equation.graph(), equation.variable(Symbol::Time));
    let of_time = graph.depends(|number| Some(number) == time);
    let needed = graph.needed(expressions);
    let nodes = graph.nodes().iter().zip(needed.iter().zip(&of_time));
    nodes.filter(|(_, (needed, of_time))| **needed && **of_time).any(|(node, _)| match *node {
        Node::Binary(Binary::Less | Binary::LessOrEqual | Binary::Equal, ..)
        | Node::Unary(Unary::Sign | Unary::Floor, _) => true,
        Node::Table(_, derivative, _) => derivative > 0,
        _ => false,
    })
}
