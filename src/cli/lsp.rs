//! `ludwright lsp`: a language server on standard input and output.
//!
//! The server is single-threaded except for the reader. Errors are published as soon as no message
//! waits, slower analysis when the author pauses. Protocol positions and URIs occur only in these
//! modules; the library computes the answers.

#![allow(
    clippy::mutable_key_type,
    reason = "what the protocol calls a file has a cache in it, which no comparison looks at"
)]

mod answers;
mod cases;
mod diagnostics;
mod documents;
mod frames;
mod positions;
mod signatures;
mod tokens;

use super::fault;
use crate::program::failure::Failure;
use cases::Cases;
use documents::Documents;
use frames::WireMessage;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::{
    ClientCapabilities, Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, PublishDiagnosticsParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Pause of the author after which the slower analysis runs.
const PAUSE: Duration = Duration::from_millis(300);
/// Capacity of the message queue; when it is full, the reader blocks.
const WAITING: usize = 64;

/// Serves until `exit` or the end of the input. The exit code is 0 only after a `shutdown` request.
pub fn run(out: &mut dyn Write) -> Result<u8, Failure> {
    let (sender, receiver) = sync_channel(WAITING);
    // The thread ends with the program, or when the receiver is gone.
    std::thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        loop {
            let frame = frames::read(&mut input);
            let goes_on = matches!(frame, Ok(Some(_)));
            if sender.send(frame).is_err() || !goes_on {
                return;
            }
        }
    });
    Server {
        out,
        client: ClientCapabilities::default(),
        documents: Documents::default(),
        cases: Cases::default(),
        stage: Stage::Begun,
        stale: BTreeSet::new(),
        unanalyzed: BTreeSet::new(),
    }
    .serve(&receiver)
}

/// State of the protocol.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begun,
    Initialized,
    ShutDown,
}

struct Server<'o> {
    out: &'o mut dyn Write,
    client: ClientCapabilities,
    documents: Documents,
    cases: Cases,
    stage: Stage,
    /// Files whose diagnostics are out of date.
    stale: BTreeSet<Uri>,
    /// Files that await the slower analysis, and cases that are to be run.
    unanalyzed: BTreeSet<Uri>,
}

impl Server<'_> {
    fn serve(mut self, frames: &Receiver<io::Result<Option<WireMessage>>>) -> Result<u8, Failure> {
        loop {
            let timeout = match (self.stale.is_empty(), self.unanalyzed.is_empty()) {
                (false, _) => Duration::ZERO,
                (true, false) => PAUSE,
                (true, true) => Duration::MAX,
            };
            let frame = match timeout {
                Duration::MAX => frames.recv().map_err(|_| RecvTimeoutError::Disconnected),
                timeout => frames.recv_timeout(timeout),
            };
            match frame {
                Ok(Ok(Some(WireMessage::Message(message)))) => {
                    if let Some(code) = self.message(message)? {
                        return Ok(code);
                    }
                }
                Ok(Ok(Some(WireMessage::Malformed(why)))) => self.refuse(&why)?,
                Ok(Err(error)) => {
                    return Err(Failure::input(format!(
                        "cannot read the editor's messages: {error}"
                    )));
                }
                Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => return Ok(self.exit_code()),
                Err(RecvTimeoutError::Timeout) => self.look()?,
            }
        }
    }

    fn exit_code(&self) -> u8 {
        u8::from(self.stage != Stage::ShutDown)
    }

    /// Handles a message. Returns the exit code if it was the last.
    fn message(&mut self, message: Message) -> Result<Option<u8>, Failure> {
        fault::provoke("lsp");
        match message {
            Message::Request(request) => {
                let response = self.request(request);
                self.send(response.into())?;
            }
            Message::Notification(notification) if notification.method == "exit" => {
                return Ok(Some(self.exit_code()));
            }
            Message::Notification(notification) if self.stage == Stage::Initialized => {
                self.notification(notification)?
            }
            // The server sends no requests, so a response is ignored.
            Message::Notification(_) | Message::Response(_) => {}
        }
        Ok(None)
    }

    fn request(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        let fault = |code: ErrorCode, message: &str| {
            Response::new_err(id.clone(), code as i32, message.to_owned())
        };
        match (self.stage, request.method.as_str()) {
            (Stage::Begun, "initialize") => {
                match serde_json::from_value::<InitializeParams>(request.params) {
                    Ok(params) => {
                        self.client = params.capabilities;
                        self.stage = Stage::Initialized;
                        ok(id, capabilities())
                    }
                    Err(error) => fault(ErrorCode::InvalidParams, &error.to_string()),
                }
            }
            (Stage::Begun, _) => fault(ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Stage::ShutDown, _) => fault(ErrorCode::InvalidRequest, "the server is shut down"),
            (Stage::Initialized, "initialize") => {
                fault(ErrorCode::InvalidRequest, "the server is initialized already")
            }
            (Stage::Initialized, "shutdown") => {
                self.stage = Stage::ShutDown;
                self.stale.clear();
                self.unanalyzed.clear();
                ok(id, Value::Null)
            }
            (Stage::Initialized, method) => {
                match answers::answer(&self.documents, &self.client, method, request.params) {
                    Ok(answer) => ok(id, answer),
                    Err(error) => Response { id, response_result: Err(error) },
                }
            }
        }
    }

    fn notification(&mut self, notification: Notification) -> Result<(), Failure> {
        let Notification { method, params } = notification;
        let mut changed = None;
        match method.as_str() {
            "textDocument/didOpen" => {
                let Some(DidOpenTextDocumentParams { text_document }) = read(params) else {
                    return Ok(());
                };
                fault::concerns(Path::new(text_document.uri.as_str()));
                changed = Some(text_document.uri.clone());
                self.documents.open(text_document.uri, text_document.version, text_document.text);
            }
            "textDocument/didChange" => {
                let Some(DidChangeTextDocumentParams { text_document, content_changes }) =
                    read(params)
                else {
                    return Ok(());
                };
                self.documents.change(&text_document.uri, text_document.version, content_changes);
                changed = Some(text_document.uri);
            }
            "textDocument/didClose" => {
                let Some(DidCloseTextDocumentParams { text_document }) = read(params) else {
                    return Ok(());
                };
                self.documents.close(&text_document.uri);
                self.stale.remove(&text_document.uri);
                self.unanalyzed.remove(&text_document.uri);
                let nothing = PublishDiagnosticsParams::new(text_document.uri, Vec::new(), None);
                self.send(
                    Notification::new("textDocument/publishDiagnostics".into(), nothing).into(),
                )?;
            }
            // Files that open games depend on may have changed.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {}
            _ => return Ok(()),
        }
        match changed.filter(|uri| self.documents.is_case(uri)) {
            Some(case) => {
                self.stale.insert(case);
            }
            // Games and their cases depend on each other's files, so any change can affect all.
            None => self.stale = self.documents.uris().cloned().collect(),
        }
        Ok(())
    }

    /// Publishes the diagnostics of one file: an outdated file, or else a file that awaits the
    /// slower analysis.
    fn look(&mut self) -> Result<(), Failure> {
        let (uri, thorough) = match (self.stale.pop_first(), self.unanalyzed.is_empty()) {
            (Some(uri), _) => (uri, false),
            (None, false) => match self.unanalyzed.pop_first() {
                Some(uri) => (uri, true),
                None => return Ok(()),
            },
            (None, true) => return Ok(()),
        };
        fault::concerns(Path::new(uri.as_str()));
        if self.documents.is_case(&uri) {
            return self.look_at_case(uri, thorough);
        }
        let Some(found) = diagnostics::of(&self.documents, &uri, thorough) else { return Ok(()) };
        if !thorough {
            match found.faulty {
                true => self.unanalyzed.remove(&uri),
                false => self.unanalyzed.insert(uri.clone()),
            };
        }
        self.publish(uri, found.diagnostics)
    }

    /// Publishes the diagnostics of a case. The case runs when the author pauses; until then, its
    /// previous diagnostics stay.
    fn look_at_case(&mut self, uri: Uri, thorough: bool) -> Result<(), Failure> {
        self.unanalyzed.remove(&uri);
        match Cases::syntax(&self.documents, &uri) {
            Some(fault) => self.publish(uri, vec![fault]),
            None if thorough => {
                let found = self.cases.run(&self.documents, &uri);
                self.publish(uri, found)
            }
            None => {
                self.unanalyzed.insert(uri);
                Ok(())
            }
        }
    }

    fn publish(&mut self, uri: Uri, diagnostics: Vec<Diagnostic>) -> Result<(), Failure> {
        let version = self.documents.version(&uri);
        let params = PublishDiagnosticsParams::new(uri, diagnostics, version);
        self.send(Notification::new("textDocument/publishDiagnostics".into(), params).into())
    }

    /// Answers a malformed message.
    fn refuse(&mut self, why: &str) -> Result<(), Failure> {
        let error = ResponseError {
            code: ErrorCode::ParseError as i32,
            message: why.to_owned(),
            data: None,
        };
        let text = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        write!(self.out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.out.flush()?)
    }

    fn send(&mut self, message: Message) -> Result<(), Failure> {
        message.write(&mut self.out)?;
        Ok(self.out.flush()?)
    }
}

fn ok(id: RequestId, result: Value) -> Response {
    Response { id, response_result: Ok(result) }
}

fn read<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}

/// Capabilities of the server.
fn capabilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["("], "resolveProvider": true },
            "signatureHelpProvider": { "triggerCharacters": ["(", " "], "retriggerCharacters": [")"] },
            "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
            "foldingRangeProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "documentFormattingProvider": true,
            "renameProvider": { "prepareProvider": true },
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        },
        "serverInfo": { "name": "ludwright", "version": env!("CARGO_PKG_VERSION") },
    })
}
