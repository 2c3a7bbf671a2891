//! Networks of files in equations.

use crate::command::{Folder, numbers, table};

/// x' = -2 x as a network with a hidden layer.
const DECAY: &str = r#"{"network": {"sequential": [
  {"dense": {"inputs": 1, "outputs": 2}}, {"dense": {"inputs": 2, "outputs": 1}}]},
 "parameters": [1, -1, 0, 0, -1.5, 0.5, 0]}"#;

const TEXT: &str = "net f: x -> 2 -> 1 from \"decay.json\"
D^0.8 x = f
x(0) = 1
t in [0, 2]";

#[test]
fn files_lie_beside_the_equation() {
    let folder = Folder::with(&[("decay.json", DECAY), ("decay.eq", TEXT)]);
    std::fs::create_dir(folder.path("elsewhere")).unwrap();
    let formula =
        folder.run_with(&["solve", "--equation", "D^0.8 x = -2 x; x(0) = 1; t in [0, 2]"]);
    assert_eq!(formula.code, 0, "{}", formula.stderr);
    let expected = numbers(&formula.stdout, 1);
    let file = folder.run("solve --equation decay.eq");
    let one_line = TEXT.replace('\n', "; ");
    let text = folder.run_with(&["solve", "--equation", &one_line]);
    let mut command = folder.command();
    command.current_dir(folder.path("elsewhere")).args(["solve", "--equation", "../decay.eq"]);
    let elsewhere = crate::command::Run::of(&command.output().unwrap());
    for run in [file, text, elsewhere] {
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(table(&run.stdout).0, ["t", "x"]);
        let found = numbers(&run.stdout, 1);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9));
    }
    let simulated =
        "net f: X -> 2 -> 1 from \"decay.json\"; dX = f dt + 0.1 dW; X(0) = 1; t in [0, 1]";
    let run =
        folder.run_with(&["simulate", "--equation", simulated, "--paths", "100", "--moments"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let facts = folder.run("equation decay.eq");
    assert!(
        facts
            .stdout
            .ends_with(&format!("\n\nD^0.8 x = f\n{}\nx(0) = 1\nt in [0, 2]\n", &TEXT[..36])),
        "{}",
        facts.stdout
    );
    let line = "# networks    f from decay.json: 1 inputs, 1 outputs\n";
    assert!(facts.stdout.contains(line), "{}", facts.stdout);
}

#[test]
fn networks_that_are_refused() {
    let broken = DECAY.replace("0.5, 0]", "0.5]");
    let files = [("decay.json", DECAY), ("decay.eq", TEXT), ("broken.json", &broken)];
    let folder = Folder::with(&files);
    let refused = |words: &[&str], said: &str| {
        let run = folder.run_with(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{words:?}: {}", run.stderr);
    };
    let solve = |file: &str, layers: &str, said: &str| {
        let text = format!("net f: x {layers} from \"{file}\"; x' = f; x(0) = 1; t in [0, 1]");
        refused(&["solve", "--equation", &text], said);
    };
    solve("other.json", "-> 1", "other.json: ");
    solve(".", "-> 1", ".: expected a file of at most 1 GiB");
    solve(
        "broken.json",
        "-> 2 -> 1",
        "broken.json: the list of parameters has the size 6, expected 7",
    );
    solve("decay.eq", "-> 2 -> 1", "decay.eq: no saved network: expected ident at line 1 column 2");
    solve("decay.json", "-> 3 -> 1", "`f` is 1 -> 3 -> 1 here, and 1 -> 2 -> 1 in the file");
    refused(
        &["equation", "decay.eq", "--rust"],
        "--rust decay: the right-hand side has a network, whose weights are those of a file",
    );
    let formula = "f; net f: t -> 2 -> 1 from \"decay.json\"";
    refused(
        &["derivative", "--of", formula, "--operator", "caputo", "--alpha", "0.5", "--at", "1"],
        "the text names the file",
    );
}
