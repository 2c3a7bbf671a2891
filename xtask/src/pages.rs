//! Preprocessor of mdbook: formulas as MathML, and links to programs. mdbook itself renders
//! formulas with a script from the network.

use crate::formulas::mathml;
use crate::run::Outcome;
use serde_json::Value;

const PROGRAMS: &str = concat!("](", env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/examples/");

/// Reads a book from standard input and writes it to standard output, as mdbook's preprocessors do.
/// With the arguments `supports html`, succeeds at once: only HTML is supported.
pub(crate) fn run(args: &[&str]) -> Outcome {
    match args {
        [] => {}
        ["supports", "html"] => return Ok(()),
        other => return Err(format!("pages: unknown arguments {}", other.join(" "))),
    }
    // The first entry is the context, the second is the book.
    let mut input: Value = serde_json::from_reader(std::io::stdin())
        .map_err(|error| format!("pages: no book in standard input: {error}"))?;
    let book = input.get_mut(1).ok_or("pages: no book in standard input")?;
    chapters(book, &mut page)?;
    println!("{book}");
    Ok(())
}

/// Changes all chapters, at any depth of the JSON: versions of mdbook differ in its layout.
fn chapters(
    value: &mut Value,
    change: &mut impl FnMut(&str, &str) -> Result<String, String>,
) -> Outcome {
    if let (Some(path), Some(text)) = (value["path"].as_str(), value["content"].as_str()) {
        let changed = change(path, text)?;
        value["content"] = changed.into();
    }
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| chapters(item, change)),
        Value::Object(items) => items.values_mut().try_for_each(|item| chapters(item, change)),
        _ => Ok(()),
    }
}

/// Page with formulas as MathML.
fn page(path: &str, text: &str) -> Result<String, String> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let tex = line.strip_prefix("$$ ").and_then(|rest| rest.strip_suffix(" $$"));
        let changed = match tex {
            Some(tex) => mathml(tex).map(|made| format!("<div>{made}</div>")),
            // Programs lie outside the book, in the repository.
            None => Ok(line.replace("](../examples/", PROGRAMS)),
        };
        lines.push(changed.map_err(|reason| format!("docs/{path}:{number}: {reason}"))?);
    }
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn programs_are_in_the_repository() {
        let text = "[a](../examples/a.rs)";
        let made = page("b.md", text).unwrap();
        assert!(made.starts_with("[a](https://") && made.ends_with("/examples/a.rs)\n"), "{made}");
    }

    #[test]
    fn every_page_of_the_book_can_be_made() {
        let mut made = 0;
        for entry in std::fs::read_dir(crate::run::root().join("docs")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let text = std::fs::read_to_string(&path).unwrap();
                let page = page(path.to_str().unwrap(), &text).unwrap();
                assert!(!page.contains("$$ "));
                made += 1;
            }
        }
        assert!(made > 10);
    }

    #[test]
    fn chapters_are_found_at_any_depth() {
        let chapter = json!({"path": "a.md", "content": "b", "sub_items": [
            {"Chapter": {"path": "c.md", "content": "d"}}, {"path": null, "content": "draft"},
        ]});
        let mut book = json!({"items": [{"Chapter": chapter}, "Separator"]});
        chapters(&mut book, &mut |path, text| Ok(format!("{path}{text}"))).unwrap();
        assert_eq!(book["items"][0]["Chapter"]["content"], "a.mdb");
        assert_eq!(book["items"][0]["Chapter"]["sub_items"][0]["Chapter"]["content"], "c.mdd");
        assert_eq!(book["items"][0]["Chapter"]["sub_items"][1]["content"], "draft");
    }
}
