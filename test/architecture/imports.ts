import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** The sources of the project, as the architecture tests see them. */
export interface SourceFile {
  /** Relative to `src/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** Relative to `src/`; undefined for packages. */
  readonly target: string | undefined;
  /** Erased when built. */
  readonly typeOnly: boolean;
}

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Every TypeScript file under `src/`. */
export function readSources(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      return { path: relative(SRC, file), text, imports: importsOf(file, text) };
    });
}

function importsOf(file: string, text: string): Import[] {
  const imports: Import[] = [];
  const add = (specifier: ts.Expression, typeOnly: boolean): void => {
    if (!ts.isStringLiteral(specifier)) return;
    const own = specifier.text.startsWith('.');
    imports.push({
      target: own ? relative(SRC, join(dirname(file), specifier.text)) : undefined,
      typeOnly,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier) add(specifier, false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return imports;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  return (
    clause.name === undefined &&
    bindings !== undefined &&
    ts.isNamedImports(bindings) &&
    bindings.elements.length > 0 &&
    bindings.elements.every((element) => element.isTypeOnly)
  );
}
