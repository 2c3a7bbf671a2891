//! `hpfracc graph`.

use crate::command::{Folder, numbers, table};

/// Ring of four nodes with names, one edge of it twice with half of the weight, and values.
const EDGES: &str = "from,to,weight\na,b,1\nb,c,0.5\nc,b,0.5\nc,d,1\nd,a,1\n";
const VALUES: &str = "node,x,y\na,1,1\nb,0,-1\nc,0,1\nd,0,-1\n";

fn folder() -> Folder {
    Folder::with(&[
        ("edges.csv", EDGES),
        ("values.csv", VALUES),
        ("plain.csv", "from,to\n0,1\n"),
        ("ends.csv", "u\n1\n0\n"),
        ("unknown.csv", "from,to\na,q\n"),
        ("negative.csv", "from,to,weight\na,b,-1\n"),
        ("twice.csv", "node,x\na,1\na,2\n"),
        ("none.csv", "node\na\nb\n"),
    ])
}

/// Eigenvectors of the ring: constants 0, (1, 0, -1, 0) and (0, 1, 0, -1) 2, (1, -1, 1, -1) 4.
#[test]
fn powers_of_a_ring() {
    let folder = folder();
    let run = folder.run("graph power --gamma 0.5 edges.csv values.csv");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(table(&run.stdout).0, ["node", "x", "y"]);
    assert!(
        run.stderr.contains(
            "4 nodes, 4 edges, 1 component; edges given again, whose weights are added: 1"
        ),
        "{}",
        run.stderr
    );
    let root = 2f64.sqrt();
    let expected = [0.5 * (root + 1.0), -0.5, 0.5 * (1.0 - root), -0.5];
    let [x, y] = [1, 2].map(|column| numbers(&run.stdout, column));
    for k in 0..4 {
        assert!((x[k] - expected[k]).abs() < 1e-12, "{x:?}");
        assert!((y[k].abs() - 2.0).abs() < 1e-12, "{y:?}");
    }
    // Degrees are 2: the normalised Laplacian is half of it, and so is that of the walk.
    for kind in ["normalised", "random-walk"] {
        let run =
            folder.run(&format!("graph power --gamma 2 --laplacian {kind} edges.csv values.csv"));
        assert!((numbers(&run.stdout, 2)[0] - 4.0).abs() < 1e-11, "{kind}: {}", run.stdout);
    }
}

#[test]
fn diffusion_between_two_nodes() {
    let folder = folder();
    // u_0 + u_1 stays 1, u_0 - u_1 decays with E_0.7(-2 kappa t^0.7).
    for (alpha, kappa) in [(0.7, 1.0), (1.4, 0.5)] {
        let words =
            format!("graph diffuse --alpha {alpha} --kappa {kappa} --times 0,3 plain.csv ends.csv");
        let run = folder.run(&words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(table(&run.stdout).0, ["t", "node", "u"]);
        let u = numbers(&run.stdout, 2);
        assert_eq!(u[..2], [1.0, 0.0]);
        let z = -2.0 * kappa * 3f64.powf(alpha);
        let value = folder.run(&format!("mittag-leffler --alpha {alpha} -- {z}")).stdout;
        let value: f64 = value.trim().parse().unwrap();
        assert!((u[2] + u[3] - 1.0).abs() < 1e-9 && (u[2] - u[3] - value).abs() < 1e-9, "{u:?}");
    }
}

#[test]
fn bad_input_is_refused() {
    let folder = folder();
    for (words, said) in [
        ("power --gamma 0.5 unknown.csv values.csv", "edge 1: no node `q`"),
        ("power --gamma 0.5 negative.csv values.csv", "-1"),
        ("power --gamma 0.5 plain.csv values.csv", "edge 1: no node `0`"),
        ("power --gamma 0.5 edges.csv twice.csv", "nodes 0 and 1 are both named `a`"),
        ("power --gamma 0.5 edges.csv none.csv", "no column of values"),
        ("power --gamma 0.5 values.csv edges.csv", "from"),
        ("power --gamma -0.5 edges.csv values.csv", "in the null space of component 0"),
        ("power --gamma 99 edges.csv values.csv", "99"),
        ("power --gamma 0.5 --tolerance 0 edges.csv values.csv", "tolerance"),
        ("diffuse --alpha 2.5 --times 1 edges.csv values.csv", "2.5"),
        ("diffuse --alpha 0.5 --times -1 edges.csv values.csv", "-1"),
        ("diffuse --alpha 0.5 --kappa 0 --times 1 edges.csv values.csv", "0"),
        ("power --gamma 0.5 edges.csv values.csv --output values.csv", "named twice"),
    ] {
        let run = folder.run(&format!("graph {words}"));
        assert_eq!(run.code, 2, "{words}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
}
