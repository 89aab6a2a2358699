//! The JSON output of commands: every object carries the name and the version of its schema, which
//! `ludwright schema` prints.
//!
//! The schemas (JSON Schema, draft 2020-12) are generated from the serialized types, so the schemas
//! and the output always agree. A version of a schema may gain keys; a schema that loses a key, or
//! changes a key's meaning, gets the next version number.
//! what it means, gets the next number.

use super::failure::Failure;
pub use ludwright::answers::ByName;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io::Write;
use std::marker::PhantomData;

/// An object that is printed on a line of its own.
pub trait Answer: Serialize + JsonSchema {
    /// The name of the schema without `ludwright-`: the command, or else the kind of object.
    const NAME: &'static str;
    /// The version of the schema.
    const VERSION: u32 = 1;
}

/// An answer, preceded by the name and the version of its schema.
#[derive(Serialize)]
struct Headed<'a, A: Answer> {
    schema: String,
    version: u32,
    #[serde(flatten)]
    answer: &'a A,
}

impl<'a, A: Answer> Headed<'a, A> {
    fn new(answer: &'a A) -> Self {
        Headed { schema: full_name(A::NAME), version: A::VERSION, answer }
    }
}

fn full_name(name: &str) -> String {
    format!("ludwright-{name}")
}

/// Prints an answer on a line.
///
/// # Errors
/// If it cannot be written.
pub fn print<A: Answer>(answer: &A, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{}", line(answer)?)?)
}

/// Writes an answer on one line.
///
/// # Errors
/// The error of the serializer, if any.
pub fn line<A: Answer>(answer: &A) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Headed::new(answer))
}

/// The schema of an answer with its name and version.
struct HeadedSchema<A>(PhantomData<A>);

impl<A: Answer> JsonSchema for HeadedSchema<A> {
    fn schema_name() -> Cow<'static, str> {
        full_name(A::NAME).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = A::json_schema(generator);
        let own = schema.ensure_object();
        own.insert("type".to_owned(), json!("object"));
        let mut properties = Map::from_iter([
            ("schema".to_owned(), json!({ "const": full_name(A::NAME) })),
            ("version".to_owned(), json!({ "const": A::VERSION })),
        ]);
        if let Some(Value::Object(others)) = own.remove("properties") {
            properties.extend(others);
        }
        let mut required = vec![json!("schema"), json!("version")];
        if let Some(Value::Array(others)) = own.remove("required") {
            required.extend(others);
        }
        own.insert("properties".to_owned(), Value::Object(properties));
        own.insert("required".to_owned(), Value::Array(required));
        schema
    }
}

/// Returns the schema of a type's answers, and adds the schemas of its parts to the generator.
pub fn part<A: Answer>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<HeadedSchema<A>>()
}

/// Joins the schemas of the lines that a command prints.
pub fn joined(command: &str, parts: &[fn(&mut SchemaGenerator) -> Schema]) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let parts: Vec<Value> = parts.iter().map(|part| part(&mut generator).to_value()).collect();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("ludwright {command} --format json"),
    });
    match <[Value; 1]>::try_from(parts) {
        Ok([Value::Object(only)]) => {
            for (key, value) in only {
                schema[key] = value;
            }
        }
        Ok([other]) => schema["allOf"] = json!([other]),
        Err(several) => schema["anyOf"] = Value::Array(several),
    }
    schema["$defs"] = Value::Object(generator.take_definitions(true));
    schema
}
