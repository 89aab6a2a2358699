//! Parts of pages: pictures that share their lines, rules in segments, and Base64.

use ludwright::language::sources::Sources;
use ludwright::pages::base64;
use ludwright::pages::frames::{Frames, flat};
use ludwright::pages::listing::Listing;
use ludwright::syntax::Span;

#[test]
fn a_picture_comes_back_and_shares_its_lines() {
    let mut frames = Frames::default();
    let first = frames.add("<svg>\n  <a/>\n  <b/>\n  <c/>\n</svg>\n");
    assert_eq!(first, [(0, 4)]);
    let second = frames.add("<svg>\n  <a/>\n  <d/>\n  <c/>\n</svg>\n");
    assert_eq!(second, [(0, 1), (5, 5), (3, 4)]);
    assert_eq!(frames.picture(&second), "<svg>\n<a/>\n<d/>\n<c/>\n</svg>\n");
    assert_eq!(flat(&second), [0, 1, 5, 5, 3, 4]);
}

#[test]
fn a_clause_is_all_of_its_segments() {
    let text = "(a\n  (b c)\n  d)\n";
    let sources = Sources::named("x.game", text);
    let (whole, inner) = (Span::new(0, 15), Span::new(5, 10));
    let listing = Listing::new(&sources, &[whole, inner]);
    assert_eq!(listing.segments(whole), 0..3);
    assert_eq!(listing.segments(inner), 1..2);
    assert!(listing.html.contains("<code>  <span data-segment=\"1\">(b c)</span></code>"));
}

#[test]
fn base64_is_as_in_the_standard() {
    // RFC 4648, section 10.
    for (bytes, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(base64(bytes.as_bytes()), text);
    }
}
