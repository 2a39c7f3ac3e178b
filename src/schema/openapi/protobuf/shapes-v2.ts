import { byMember, orBoolean, orReference, type DocumentShapes, type MessageShape } from './shapes.ts';

/** What values of parameters may be, in fields that are counted from one behind the given. */
function parameterOf(before: number, head: MessageShape): MessageShape {
  const names = [
    ...['type string', 'format string', 'items Items', 'collectionFormat string', 'default any'],
    ...['maximum number', 'exclusiveMaximum boolean', 'minimum number', 'exclusiveMinimum boolean'],
    ...['maxLength integer', 'minLength integer', 'pattern string', 'maxItems integer', 'minItems integer'],
    ...['uniqueItems boolean', 'enum any[]', 'multipleOf number'],
  ];
  const fields = names.map((text, index) => {
    const [name = '', shape = ''] = text.split(' ');
    return [name, [before + 1 + index, shape]] as const;
  });
  return { ...head, ...Object.fromEntries(fields), 'x-': [before + names.length + 1, 'any'] };
}

const PARAMETER: MessageShape = {
  required: [1, 'boolean'],
  in: [2, 'string'],
  description: [3, 'string'],
  name: [4, 'string'],
};

/** The messages of Swagger 2.0 documents. */
export const V2_SHAPES: DocumentShapes = {
  messages: {
    Document: {
      swagger: [1, 'string'],
      info: [2, 'Info'],
      host: [3, 'string'],
      basePath: [4, 'string'],
      schemes: [5, 'string[]'],
      consumes: [6, 'string[]'],
      produces: [7, 'string[]'],
      paths: [8, 'Paths'],
      definitions: [9, 'Schema{}'],
      parameters: [10, 'Parameter{}'],
      responses: [11, 'Response{}'],
      security: [12, 'SecurityRequirement[]'],
      securityDefinitions: [13, 'SecurityDefinition{}'],
      'x-': [16, 'any'],
    },
    Info: { title: [1, 'string'], version: [2, 'string'], description: [3, 'string'], 'x-': [7, 'any'] },
    Paths: { 'x-': [1, 'any'], '*': [2, 'PathItem'] },
    PathItem: {
      $ref: [1, 'string'],
      get: [2, 'Operation'],
      put: [3, 'Operation'],
      post: [4, 'Operation'],
      delete: [5, 'Operation'],
      options: [6, 'Operation'],
      head: [7, 'Operation'],
      patch: [8, 'Operation'],
      parameters: [9, 'ParameterOrReference[]'],
      'x-': [10, 'any'],
    },
    Operation: {
      tags: [1, 'string[]'],
      summary: [2, 'string'],
      description: [3, 'string'],
      operationId: [5, 'string'],
      produces: [6, 'string[]'],
      consumes: [7, 'string[]'],
      parameters: [8, 'ParameterOrReference[]'],
      responses: [9, 'Responses'],
      schemes: [10, 'string[]'],
      deprecated: [11, 'boolean'],
      security: [12, 'SecurityRequirement[]'],
      'x-': [13, 'any'],
    },
    BodyParameter: {
      description: [1, 'string'],
      name: [2, 'string'],
      in: [3, 'string'],
      required: [4, 'boolean'],
      schema: [5, 'Schema'],
      'x-': [6, 'any'],
    },
    HeaderOrPathParameter: parameterOf(4, PARAMETER),
    FormOrQueryParameter: parameterOf(5, { ...PARAMETER, allowEmptyValue: [5, 'boolean'] }),
    Items: parameterOf(0, {}),
    Reference: { $ref: [1, 'string'], description: [2, 'string'] },
    Responses: { '*': [1, 'ResponseOrReference'], 'x-': [2, 'any'] },
    Response: { description: [1, 'string'], schema: [2, 'ResponseSchema'], 'x-': [5, 'any'] },
    Schema: {
      $ref: [1, 'string'],
      format: [2, 'string'],
      title: [3, 'string'],
      description: [4, 'string'],
      default: [5, 'any'],
      multipleOf: [6, 'number'],
      maximum: [7, 'number'],
      exclusiveMaximum: [8, 'boolean'],
      minimum: [9, 'number'],
      exclusiveMinimum: [10, 'boolean'],
      maxLength: [11, 'integer'],
      minLength: [12, 'integer'],
      pattern: [13, 'string'],
      maxItems: [14, 'integer'],
      minItems: [15, 'integer'],
      uniqueItems: [16, 'boolean'],
      maxProperties: [17, 'integer'],
      minProperties: [18, 'integer'],
      required: [19, 'string[]'],
      enum: [20, 'any[]'],
      additionalProperties: [21, 'SchemaOrBoolean'],
      type: [22, 'string()'],
      items: [23, 'Schema()'],
      allOf: [24, 'Schema[]'],
      properties: [25, 'Schema{}'],
      discriminator: [26, 'string'],
      readOnly: [27, 'boolean'],
      example: [30, 'any'],
      'x-': [31, 'any'],
    },
    ApiKey: { type: [1, 'string'], name: [2, 'string'], in: [3, 'string'], description: [4, 'string'] },
    BasicAuthentication: { type: [1, 'string'], description: [2, 'string'] },
    SecurityRequirement: { '*': [1, 'string()'] },
  },
  choices: {
    ParameterOrReference: orReference('Parameter', 'Reference'),
    Parameter: byMember('in', { body: [1, 'BodyParameter'] }, [2, 'NonBodyParameter']),
    NonBodyParameter: byMember('in', {
      header: [1, 'HeaderOrPathParameter'],
      formData: [2, 'FormOrQueryParameter'],
      query: [3, 'FormOrQueryParameter'],
      path: [4, 'HeaderOrPathParameter'],
    }),
    ResponseOrReference: orReference('Response', 'Reference'),
    ResponseSchema: () => [1, 'Schema'],
    SchemaOrBoolean: orBoolean('Schema'),
    SecurityDefinition: byMember('type', { basic: [1, 'BasicAuthentication'], apiKey: [2, 'ApiKey'] }),
  },
};
