//! A headless Chromium, spoken to by the DevTools protocol.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// Browser with one page.
pub(crate) struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    next: u64,
    session: Option<String>,
    /// Errors of the page: exceptions, errors in the console, files that did not load.
    errors: Vec<String>,
    _profile: tempfile::TempDir,
}

/// Longest time for an answer of the browser.
const PATIENCE: Duration = Duration::from_secs(120);

/// Program of a browser, by the variable HPFRACC_BROWSER or its name.
pub(crate) fn program() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("HPFRACC_BROWSER") {
        return Some(given.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.into_iter().find(|program| program.is_file())
}

impl Browser {
    pub(crate) fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--enable-unsafe-webgpu", "--hide-scrollbars"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"])
            .args(["--remote-debugging-port=0", "--window-size=1280,900"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let (port, path) = endpoint(&profile.path().join("DevToolsActivePort"));
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the port of the browser");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        let address = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) =
            tungstenite::client(address, stream).expect("the DevTools of the browser");
        let (session, errors) = (None, Vec::new());
        let mut browser = Self { process, socket, next: 0, session, errors, _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        browser
    }

    /// Calls a method and waits for its result.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).expect("the browser listens");
        loop {
            let received = self.receive();
            if received["id"] == id {
                assert!(received["error"].is_null(), "{method}: {}", received["error"]);
                return received["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        loop {
            let message = self.socket.read().expect("the browser answers in time");
            let Message::Text(text) = message else { continue };
            let received: Value = serde_json::from_str(&text).expect("JSON");
            let of = &received["params"];
            match received["method"].as_str() {
                Some("Runtime.exceptionThrown") => {
                    self.errors.push(of["exceptionDetails"].to_string());
                }
                Some("Runtime.consoleAPICalled") if of["type"] == "error" => {
                    self.errors.push(of["args"].to_string());
                }
                Some("Log.entryAdded") if of["entry"]["level"] == "error" => {
                    self.errors.push(of["entry"].to_string());
                }
                _ => {}
            }
            return received;
        }
    }

    /// Opens a page.
    pub(crate) fn open(&mut self, address: &str) {
        let opened = self.call("Page.navigate", json!({"url": address}));
        assert!(opened["errorText"].is_null(), "{address}: {}", opened["errorText"]);
        self.until("document.readyState === 'complete'");
    }

    /// Value of an expression, which may be a promise.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let parameters =
            json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let result = self.call("Runtime.evaluate", parameters);
        let failed = &result["exceptionDetails"];
        assert!(failed.is_null(), "{expression}: {failed}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.evaluate(expression) != json!(true) {
            assert!(begin.elapsed() < PATIENCE, "never true: {expression}; {:?}", self.errors);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Errors of the page up to now.
    pub(crate) fn errors(&mut self) -> Vec<String> {
        // Events come before the answer.
        self.evaluate("null");
        std::mem::take(&mut self.errors)
    }

    /// Writes a picture of the page.
    pub(crate) fn screenshot(&mut self, file: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let data = picture["data"].as_str().expect("a picture");
        std::fs::write(file, base64(data)).expect("the file can be written");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let close = json!({"id": 0, "method": "Browser.close"});
        let _ = self.socket.send(Message::text(close.to_string()));
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(5) {
            if matches!(self.process.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Port and path that the browser writes when it listens.
fn endpoint(file: &Path) -> (u16, String) {
    let begin = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let mut lines = text.lines();
        if let (Some(port), Some(path)) = (lines.next(), lines.next()) {
            return (port.parse().expect("a port"), path.to_owned());
        }
        assert!(begin.elapsed() < PATIENCE, "the browser does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Bytes of a text in base 64.
fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(digit).collect();
    let bytes = |group: &[u8]| {
        let word = group.iter().fold(0u32, |word, digit| word << 6 | u32::from(*digit));
        let word = word << (6 * (4 - group.len()));
        word.to_be_bytes()[1..group.len()].to_vec()
    };
    digits.chunks(4).flat_map(bytes).collect()
}
