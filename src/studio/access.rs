//! Access control: only pages that this program serves may send requests.
//!
//! The server listens on the loopback address, but any page in the same browser, and any program of
//! any user of the computer, can connect to it. So every address contains a secret of 128 bits, the
//! `Host` must be the server's own (which defeats rebinding of names), and a browser that names the
//! origin of a request must name the server's.

use super::http::{Method, Request};

/// Distinguishes permitted requests from others.
pub struct Access {
    token: String,
    hosts: [String; 2],
}

impl Access {
    /// Makes the access rules, with a new secret, for a server at this port.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn new(port: u16) -> Result<Access, getrandom::Error> {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        Ok(Access { token: random_name()?, hosts })
    }

    /// Returns the address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// Returns the part of the path after the secret.
    ///
    /// # Errors
    /// Returns the status and the message, if the request is not permitted.
    pub fn admit<'r>(&self, request: &'r Request) -> Result<&'r str, (u16, &'static str)> {
        if !request.host.as_ref().is_some_and(|host| self.is_host(host)) {
            return Err((403, "the request is for another host"));
        }
        let own =
            |origin: &String| origin.strip_prefix("http://").is_some_and(|host| self.is_host(host));
        if request.origin.as_ref().is_some_and(|origin| !own(origin)) {
            return Err((403, "the request comes from another page"));
        }
        let site = request.fetch_site.as_deref();
        let is_near = matches!(site, None | Some("same-origin" | "none"));
        // A click elsewhere may open a page, but no other request may come from another origin.
        if !is_near && (request.method == Method::Post || request.path.contains("/api/")) {
            return Err((403, "the request comes from another page"));
        }
        let wrong =
            (404, "there is nothing here; open the address that `ludwright studio` printed");
        let path = request.path.strip_prefix('/').ok_or(wrong)?;
        let (token, rest) = path.split_once('/').ok_or(wrong)?;
        match is_equal(token.as_bytes(), self.token.as_bytes()) {
            true => Ok(rest),
            false => Err(wrong),
        }
    }

    fn is_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

/// Compares in constant time, so that the time does not reveal the position of the first
/// difference.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && std::hint::black_box(differ) == 0
}

/// Makes a name that cannot be guessed: 32 hexadecimal digits.
///
/// # Errors
/// If the system gives no random bytes.
pub fn random_name() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
