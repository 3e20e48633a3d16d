/** The part of the JSON Schema that a node refers to, be it alone or beside a short form. */
function resolved(schema, node) {
  const choices = [...(node?.allOf ?? []), ...(node?.anyOf ?? []), ...(node?.oneOf ?? [])];
  const target = node?.$ref ?? choices.find(({ $ref }) => $ref)?.$ref;
  return target ? schema.definitions[target.split('/').pop()] : node;
}

/** The schema of the value at a path of names and, for members of lists, numbers. */
export const schemaOf = (schema, path) =>
  path.reduce((node, step) => resolved(schema, typeof step === 'number' ? node?.items : node?.properties?.[step]), schema);
