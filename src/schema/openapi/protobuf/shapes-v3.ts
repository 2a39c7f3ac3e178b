import type { Json } from '../../../meta/object.ts';
import { orBoolean, orReference, type DocumentShapes, type Shape } from './shapes.ts';

/** The messages of OpenAPI 3.0 documents. */
export const V3_SHAPES: DocumentShapes = {
  messages: {
    Document: {
      openapi: [1, 'string'],
      info: [2, 'Info'],
      paths: [4, 'Paths'],
      components: [5, 'Components'],
      security: [6, 'SecurityRequirement[]'],
      'x-': [9, 'any'],
    },
    Info: { title: [1, 'string'], description: [2, 'string'], version: [6, 'string'], 'x-': [7, 'any'] },
    Paths: { '*': [1, 'PathItem'], 'x-': [2, 'any'] },
    PathItem: {
      $ref: [1, 'string'],
      summary: [2, 'string'],
      description: [3, 'string'],
      get: [4, 'Operation'],
      put: [5, 'Operation'],
      post: [6, 'Operation'],
      delete: [7, 'Operation'],
      options: [8, 'Operation'],
      head: [9, 'Operation'],
      patch: [10, 'Operation'],
      trace: [11, 'Operation'],
      parameters: [13, 'ParameterOrReference[]'],
      'x-': [14, 'any'],
    },
    Operation: {
      tags: [1, 'string[]'],
      summary: [2, 'string'],
      description: [3, 'string'],
      operationId: [5, 'string'],
      parameters: [6, 'ParameterOrReference[]'],
      requestBody: [7, 'RequestBodyOrReference'],
      responses: [8, 'Responses'],
      deprecated: [10, 'boolean'],
      security: [11, 'SecurityRequirement[]'],
      'x-': [13, 'any'],
    },
    Parameter: {
      name: [1, 'string'],
      in: [2, 'string'],
      description: [3, 'string'],
      required: [4, 'boolean'],
      deprecated: [5, 'boolean'],
      allowEmptyValue: [6, 'boolean'],
      style: [7, 'string'],
      explode: [8, 'boolean'],
      allowReserved: [9, 'boolean'],
      schema: [10, 'SchemaOrReference'],
      content: [13, 'MediaType{}'],
      'x-': [14, 'any'],
    },
    Reference: { $ref: [1, 'string'], summary: [2, 'string'], description: [3, 'string'] },
    RequestBody: {
      description: [1, 'string'],
      content: [2, 'MediaType{}'],
      required: [3, 'boolean'],
      'x-': [4, 'any'],
    },
    MediaType: { schema: [1, 'SchemaOrReference'], example: [2, 'any'], 'x-': [5, 'any'] },
    Responses: { default: [1, 'ResponseOrReference'], '*': [2, 'ResponseOrReference'], 'x-': [3, 'any'] },
    Response: { description: [1, 'string'], content: [3, 'MediaType{}'], 'x-': [5, 'any'] },
    Components: {
      schemas: [1, 'SchemaOrReference{}'],
      responses: [2, 'ResponseOrReference{}'],
      parameters: [3, 'ParameterOrReference{}'],
      requestBodies: [5, 'RequestBodyOrReference{}'],
      securitySchemes: [7, 'SecuritySchemeOrReference{}'],
      'x-': [10, 'any'],
    },
    Schema: {
      nullable: [1, 'boolean'],
      readOnly: [3, 'boolean'],
      writeOnly: [4, 'boolean'],
      example: [7, 'any'],
      deprecated: [8, 'boolean'],
      title: [9, 'string'],
      multipleOf: [10, 'number'],
      maximum: [11, 'number'],
      exclusiveMaximum: [12, 'boolean'],
      minimum: [13, 'number'],
      exclusiveMinimum: [14, 'boolean'],
      maxLength: [15, 'integer'],
      minLength: [16, 'integer'],
      pattern: [17, 'string'],
      maxItems: [18, 'integer'],
      minItems: [19, 'integer'],
      uniqueItems: [20, 'boolean'],
      maxProperties: [21, 'integer'],
      minProperties: [22, 'integer'],
      required: [23, 'string[]'],
      enum: [24, 'any[]'],
      type: [25, 'string'],
      allOf: [26, 'SchemaOrReference[]'],
      oneOf: [27, 'SchemaOrReference[]'],
      anyOf: [28, 'SchemaOrReference[]'],
      not: [29, 'Schema'],
      items: [30, 'SchemaOrReference()'],
      properties: [31, 'SchemaOrReference{}'],
      additionalProperties: [32, 'SchemaOrBoolean'],
      default: [33, 'Default'],
      description: [34, 'string'],
      format: [35, 'string'],
      'x-': [36, 'any'],
    },
    SecurityRequirement: { '*': [1, 'string()'] },
    SecurityScheme: {
      type: [1, 'string'],
      description: [2, 'string'],
      name: [3, 'string'],
      in: [4, 'string'],
      scheme: [5, 'string'],
      'x-': [9, 'any'],
    },
  },
  choices: {
    ParameterOrReference: orReference('Parameter', 'Reference'),
    RequestBodyOrReference: orReference('RequestBody', 'Reference'),
    ResponseOrReference: orReference('Response', 'Reference'),
    SchemaOrReference: orReference('Schema', 'Reference'),
    SecuritySchemeOrReference: orReference('SecurityScheme', 'Reference'),
    SchemaOrBoolean: orBoolean('SchemaOrReference'),
    Default: defaultOf,
  },
};

/** Only scalars can be defaults here. */
function defaultOf(value: Json): readonly [number, Shape] | undefined {
  switch (typeof value) {
    case 'number':
      return [1, 'number'];
    case 'boolean':
      return [2, 'boolean'];
    case 'string':
      return [3, 'string'];
    default:
      return undefined;
  }
}
