//! The built site in a browser: numbers, speed and memory of the module, and the page.
//!
//! `cargo xtask web` builds the site. Without it, or without a browser, the test says that it was skipped;
//! HPFRACC_REQUIRE_BROWSER=1 makes that a failure.

mod chromium;
mod module;
mod page;
mod server;

use chromium::Browser;
use server::Server;
use std::path::{Path, PathBuf};

/// Folder of the built site.
fn site() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/web")
}

/// Browser and server, or the reason why there is none.
fn setup() -> Result<(Browser, Server), String> {
    if !site().join("hpfracc_web_bg.wasm").is_file() {
        return Err("`cargo xtask web` has not built the site".to_owned());
    }
    let program = chromium::program().ok_or("no Chromium or Chrome is in the path")?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    Ok((Browser::start(&program), Server::start(vec![site(), here])))
}

#[test]
fn the_explorer_in_a_browser() {
    let (mut browser, server) = match setup() {
        Ok(both) => both,
        Err(reason) if std::env::var("HPFRACC_REQUIRE_BROWSER").as_deref() != Ok("1") => {
            eprintln!("skipped: {reason}");
            return;
        }
        Err(reason) => panic!("HPFRACC_REQUIRE_BROWSER is set, and {reason}"),
    };
    module::check(&mut browser, &server.address);
    assert_eq!(browser.errors(), [] as [String; 0]);
    if site().join("index.html").is_file() {
        page::check(&mut browser, &server.address, &site().with_file_name("web-pictures"));
        assert_eq!(browser.errors(), [] as [String; 0]);
    } else {
        eprintln!("skipped: the site has no page");
    }
}
