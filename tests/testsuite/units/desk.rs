//! The desk: plies as a tree, and offsets as pages count.

use ludwright::desk::offsets::Offsets;
use ludwright::desk::variations::Variations;

#[test]
fn a_tree_in_which_a_ply_follows_itself_is_not_read() {
    let mut tree = Variations::new(1);
    assert!(tree.is_valid());
    tree.nodes[0].next = Some(0);
    assert!(!tree.is_valid());
}

#[test]
fn both_kinds_of_offset_agree_at_every_character() {
    for text in ["", "plain", "é", "aé😀b→c😀", "😀😀"] {
        let offsets = Offsets::new(text);
        let mut units = 0;
        for (byte, character) in text.char_indices() {
            assert_eq!((offsets.unit(byte), offsets.byte(units)), (units, byte), "{text}");
            units += character.len_utf16();
        }
        assert_eq!((offsets.unit(text.len() + 5), offsets.byte(units + 5)), (units, text.len()));
    }
    assert_eq!((Offsets::new("a😀b").byte(2), Offsets::new("a😀b").unit(3)), (1, 1));
}
