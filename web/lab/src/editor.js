// The scene as text: names and sentences from the schema while typing, the program's own errors under their place.
import { basicSetup, EditorView } from 'codemirror';
import { EditorState } from '@codemirror/state';
import { json } from '@codemirror/lang-json';
import { syntaxTree } from '@codemirror/language';
import { autocompletion } from '@codemirror/autocomplete';
import { linter, lintGutter } from '@codemirror/lint';
import { oneDark } from '@codemirror/theme-one-dark';
import { schemaOf } from './schema.js';

/** The schema of the object that holds a place of the document. */
function schemaAt(schema, state, position) {
  const way = [];
  for (let node = syntaxTree(state).resolveInner(position, -1); node; node = node.parent) {
    if (node.name === 'Property') {
      const name = node.getChild('PropertyName');
      if (name && name.to < position) way.unshift(state.sliceDoc(name.from + 1, name.to - 1));
    } else if (node.name === 'Array') way.unshift(0);
  }
  return schemaOf(schema, way);
}

export class Editor {
  /** `check(text)` answers {errors: [{line, column, message}], message}. */
  constructor(root, { schema, check, apply, dark }) {
    const complete = (context) => {
      const word = context.matchBefore(/"[\w]*/);
      if (!word && !context.explicit) return null;
      const properties = schemaAt(schema, context.state, context.pos)?.properties;
      if (!properties) return null;
      const options = Object.entries(properties).map(([name, { description }]) => ({ label: `"${name}"`, apply: `"${name}"`, info: description, type: 'property' }));
      return { from: word?.from ?? context.pos, options };
    };
    const lint = async (view) => {
      const text = view.state.doc.toString();
      const { errors, message } = await check(text);
      root.querySelector('output').textContent = message;
      return errors.map(({ line, column, message: what }) => {
        const row = view.state.doc.line(Math.min(line, view.state.doc.lines));
        const from = Math.min(row.from + column - 1, row.to);
        return { from, to: Math.max(view.state.wordAt(from)?.to ?? row.to, from), severity: 'error', message: what };
      });
    };
    root.innerHTML = '<div class="bar"><b>Scene</b><span class="grow"></span><button id="apply" title="Ctrl+Enter">Run it</button><button class="close">Close</button></div><div class="text"></div><output role="status"></output>';
    this.view = new EditorView({
      parent: root.querySelector('.text'),
      state: EditorState.create({
        extensions: [basicSetup, json(), autocompletion({ override: [complete] }), linter(lint, { delay: 500 }), lintGutter(), dark ? oneDark : [],
          EditorView.lineWrapping, EditorView.contentAttributes.of({ 'aria-label': 'Text of the scene', tabindex: '0' })],
      }),
    });
    const run = () => apply(this.view.state.doc.toString());
    root.querySelector('#apply').onclick = run;
    root.querySelector('.close').onclick = () => { root.hidden = true; };
    root.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
      if (event.key === 'Escape') root.hidden = true;
      event.stopPropagation();
    });
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }
}
