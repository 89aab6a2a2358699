//! Parts of pictures: plots, PNG, SVG, styled text.

use anstyle::Style;
use ludwright::language::look::Color;
use ludwright::render::plot::{Interval, Plot, Series, Shape, marks, spelled, svg, text};
use ludwright::render::svg::writer::{Value, Writer, short};
use ludwright::render::text::canvas::Canvas;
use ludwright::render::text::styles::nearest;

#[test]
fn axes_have_round_marks() {
    assert_eq!(marks((0.0, 1.0), 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
    assert_eq!(marks((13.0, 87.0), 4), [20.0, 40.0, 60.0, 80.0]);
    assert_eq!(marks((3.0, 3.0), 4), [3.0]);
    assert_eq!(
        [0.2, 0.6000000000000001, 20.0, -0.001, 1500.0].map(spelled),
        ["0.2", "0.6", "20", "0", "1500"]
    );
}

#[test]
fn every_shape_is_drawn() {
    let shapes = [
        Shape::Histogram { from: 10.0, width: 5.0, heights: vec![1.0, 3.0, 0.0, 2.0] },
        Shape::Lines(vec![Series { name: "a & b".into(), points: vec![(0.0, 0.0), (1.0, 1.0)] }]),
        Shape::Intervals {
            neutral: 0.5,
            points: vec![Interval { name: "x".into(), value: 0.6, low: 0.4, high: 0.8 }],
        },
        Shape::Lines(Vec::new()),
    ];
    for shape in shapes {
        let plot = Plot { title: "T".into(), across: "plies".into(), up: "games".into(), shape };
        assert!(svg(&plot).starts_with("<svg"), "{plot:?}");
        assert!(
            text(&plot, 60).lines().all(|line| line.chars().count() <= 60),
            "{}",
            text(&plot, 60)
        );
    }
    let histogram = Shape::Histogram { from: 0.0, width: 1.0, heights: vec![0.0, 4.0, 8.0] };
    let plot =
        Plot { title: String::new(), across: "plies".into(), up: "games".into(), shape: histogram };
    assert_eq!(text(&plot, 40), "   ▄█  most: 8 games\n  └───\n   0 3  plies\n");
}

#[test]
fn numbers_are_short_and_text_is_no_markup() {
    assert_eq!(
        [0.04, -0.04, 1.25, -1.26, 10.0, -0.5].map(short),
        ["0", "0", "1.3", "-1.3", "10", "-0.5"]
    );
    let mut writer = Writer::default();
    writer.text("text", &[("x", Value::from(1.0)), ("class", Value::from("a\"b"))], "<&>\u{7}é");
    assert_eq!(writer.finish(), "<text x=\"1\" class=\"a&quot;b\">&lt;&amp;&gt;é</text>\n");
}

#[test]
fn wide_characters_take_two_columns() {
    let mut canvas = Canvas::default();
    canvas.put(0, 2, Style::new().bold(), "蛙");
    canvas.put(0, 4, Style::new(), "b ");
    let lines = canvas.lines();
    assert_eq!(lines[0].width(), 6);
    assert_eq!(lines[0].spell(false), "  蛙b");
    assert_eq!(lines[0].spell(true), "  \u{1b}[1m蛙\u{1b}[0mb");
}

#[test]
fn the_nearest_colour_is_found() {
    let nearest = |digits| nearest(Color::rgb(digits)).0;
    assert_eq!(
        [nearest(0), nearest(0xffffff), nearest(0xff0000), nearest(0x808080)],
        [16, 231, 196, 244]
    );
}

#[cfg(feature = "png")]
mod png {
    use ludwright::render::png;
    use resvg::tiny_skia::Pixmap;

    fn picture((width, height): (u32, u32), inside: &str) -> Pixmap {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">{inside}</svg>"
        );
        Pixmap::decode_png(&png(&svg).expect("a picture")).expect("a PNG")
    }

    #[test]
    fn the_font_has_letters_and_signs() {
        let inked = |sign: &str| {
            let text = format!(
                "<text x=\"5\" y=\"30\" font-size=\"30\" font-family=\"sans-serif\">{sign}</text>"
            );
            picture((40, 40), &text).pixels().iter().filter(|pixel| pixel.alpha() > 0).count()
        };
        // A missing glyph is a box or nothing.
        let lacking = inked("\u{1f438}");
        for sign in ["a", "é", "Ж", "♞", "★"] {
            assert!(inked(sign) > 100 && inked(sign) != lacking, "{sign}");
        }
    }

    #[test]
    fn pictures_have_a_bound() {
        assert_eq!(picture((50, 50), "").width(), 100);
        assert_eq!(picture((90_000, 90), "").width(), 4096);
        assert_eq!(picture((90, 90_000), "").height(), 4096);
        assert!(png("<svg").is_err());
    }
}
