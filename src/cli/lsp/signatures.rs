//! Answers signature help.

use super::answers::asked;
use super::documents::{Documents, OpenGame};
use lsp_types::*;
use ludwright::editor::signature::Signature;
use ludwright::syntax::visible::shown;

/// Describes the form around a position and the argument that is being written.
pub fn answer(
    documents: &Documents,
    client: &ClientCapabilities,
    params: &SignatureHelpParams,
) -> Option<SignatureHelp> {
    let (OpenGame { study, file }, byte) = asked(documents, &params.text_document_position_params)?;
    let found = study.signature(file, byte)?;
    let offsets = || {
        let help = client.text_document.as_ref()?.signature_help.as_ref()?;
        let information = help.signature_information.as_ref()?;
        information.parameter_information.as_ref()?.label_offset_support
    };
    let offsets = offsets().unwrap_or(false);
    let signatures: Vec<SignatureInformation> =
        found.signatures.iter().map(|signature| described(signature, offsets)).collect();
    let active_parameter = signatures.get(found.active).and_then(|active| active.active_parameter);
    let active_signature = Some(found.active as u32);
    Some(SignatureHelp { signatures, active_signature, active_parameter })
}

/// Converts a signature. Labels of parameters are UTF-16 offsets if the client understands offsets,
/// else texts.
fn described(signature: &Signature, offsets: bool) -> SignatureInformation {
    let units = |byte: usize| {
        signature.label.get(..byte).map_or(0, |before| before.encode_utf16().count()) as u32
    };
    let parameters = signature.parameters.iter().map(|parameter| ParameterInformation {
        label: match offsets {
            true => ParameterLabel::LabelOffsets([
                units(parameter.span.start),
                units(parameter.span.end),
            ]),
            false => ParameterLabel::Simple(parameter.span.text(&signature.label).to_owned()),
        },
        documentation: documentation(&parameter.documentation),
    });
    let parameters: Vec<ParameterInformation> = parameters.collect();
    SignatureInformation {
        label: shown(&signature.label).into_owned(),
        documentation: documentation(&signature.documentation),
        // Past the last parameter, editors mark none.
        active_parameter: Some(signature.active.unwrap_or(parameters.len()) as u32),
        parameters: Some(parameters),
    }
}

fn documentation(text: &str) -> Option<Documentation> {
    let value = shown(text).into_owned();
    let markdown = MarkupContent { kind: MarkupKind::Markdown, value };
    (!text.is_empty()).then_some(Documentation::MarkupContent(markdown))
}
