// What links say, without a browser: thousands of contents and fragments made at random, from good ones. Each is either refused with a
// sentence, or what comes out keeps every limit, told here in other words than the schema's. MUSLIN_LINK_TRIES, MUSLIN_LINK_SEED.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { random } from '../../tests/random.mjs';
import { checked, limits, packed, unpacked } from '../src/link.js';

const tries = Number(process.env.MUSLIN_LINK_TRIES ?? 20_000);
const seed = Number(process.env.MUSLIN_LINK_SEED ?? 1);
const good = { scene: 'torture/fold', text: null, overrides: ['cloths/0/grid/points=[9, 9]'], lanes: ['', 'newton'], exact: true, field: '', curves: ['ms'], own: false,
  camera: [1, 2, 3, 0, 0, 0], frame: 3, hands: { 1: [['pull', 4, [0, 1, 0]], ['release']], 2: [['carry', 0, [0, 0, 0.5]]] }, hashes: ['0123456789abcdef fedcba9876543210'], version: '0.1.0' };

/** Random parts of values; all that JSON can say. */
class Maker {
  constructor(next) {
    this.next = next;
  }
  below(n) {
    return Math.floor(this.next() * n);
  }
  one(list) {
    return list[this.below(list.length)];
  }
  value(depth = 0) {
    const kind = this.below(depth > 3 ? 5 : 7);
    if (kind === 0) return this.one([null, true, false]);
    if (kind === 1) return this.one([0, -1, 1.5, 1e300, -0, 3, 2 ** 31, 1e12, limits.frame + 1]);
    if (kind < 5) return this.word();
    if (kind === 5) return Array.from({ length: this.below(6) }, () => this.value(depth + 1));
    return Object.fromEntries(Array.from({ length: this.below(4) }, () => [this.word(), this.value(depth + 1)]));
  }
  word() {
    return this.one(['', 'flag', '../x', '..\\x', '//evil/x', 'http://x/', 'a/../b', '%2e%2e', '__proto__', 'constructor', 'toString', 'hold', 'letGo', 'release', 'pull', 'carry', 'a=b', 'a=1\nb=2',
      '<img src=x>', '0123456789abcdef', '7', '-1', 'length', 'newton', '\u0000', '\u202e', '\ud800', 'x'.repeat(50), ...Object.keys(good)]);
  }
  /** The value with a part replaced, removed, added or doubled somewhere below. */
  changed(value) {
    if (typeof value !== 'object' || value === null || this.next() < 0.15) return this.value();
    const copy = structuredClone(value), names = Object.keys(copy), name = this.one(names);
    const what = this.below(10);
    if (Array.isArray(copy)) {
      if (what === 0) copy.splice(this.below(copy.length + 1), 0, this.value());
      else if (what === 1) copy.splice(this.below(copy.length + 1), 1);
      else if (what === 2) copy.push(...copy, ...copy);
      else if (names.length) copy[name] = this.changed(copy[name]);
    } else if (what === 0) Object.defineProperty(copy, this.word(), { value: this.value(), enumerable: true, configurable: true, writable: true });
    else if (what === 1) delete copy[name];
    else if (names.length) copy[name] = this.changed(copy[name]);
    return copy;
  }
}

const refusal = /^This link is (refused|damaged)[^\n]{0,200}\.$/s;
const isFinitePlace = (place) => place.length === 3 && place.every((x) => typeof x === 'number' && x - x === 0);

/** That what was taken harms nobody. */
function keepsLimits(state) {
  const known = new Set(Object.keys(good));
  for (const name of Reflect.ownKeys(state)) assert.ok(known.has(name), `nothing is called ${String(name)}`);
  assert.equal(Object.getPrototypeOf(state), Object.prototype);
  for (const part of state.scene.split('/')) assert.match(part, /^[a-z0-9_]+$/);
  assert.ok(state.lanes.length >= 1 && state.lanes.length <= 4);
  for (const word of [...state.lanes, ...(state.curves ?? []), state.field ?? '']) assert.ok(/^[a-z0-9_]*$/.test(word) && word.length <= 40);
  if (state.text != null) assert.ok(state.text.length <= 4e6);
  for (const line of state.overrides ?? []) assert.ok(!line.includes('\n') && line.indexOf('=') > 0 && !/["<>\s]/.test(line.slice(0, line.indexOf('='))));
  if (state.frame !== undefined) assert.ok(state.frame >= 0 && state.frame <= 100_000 && state.frame % 1 === 0);
  if (state.camera) assert.ok(state.camera.length === 6 && state.camera.every((x) => x - x === 0));
  for (const hash of state.hashes ?? []) assert.ok(hash.split(' ').every((one) => one.length === 16 && !isNaN(parseInt(one, 16))));
  for (const hands of Object.values(state.hands ?? {}))
    for (const [what, number, place] of hands) {
      assert.ok(['hold', 'letGo', 'pull', 'release', 'carry'].includes(what));
      if (what !== 'release') assert.ok(number >= 0 && number < 2 ** 31 && number % 1 === 0);
      if (what === 'pull' || what === 'carry' || place !== undefined) if (what !== 'release' && what !== 'letGo') assert.ok(isFinitePlace(place));
    }
}

test(`${tries} contents made at random are refused, or keep every limit`, () => {
  const make = new Maker(random(seed));
  let taken = 0;
  for (let k = 0; k < tries; ++k) {
    let content = good;
    for (let changes = make.below(4); changes >= 0; --changes) content = make.changed(content);
    content = content === undefined ? null : JSON.parse(JSON.stringify(content));
    try {
      checked(content);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      assert.match(error.message, refusal, JSON.stringify(content).slice(0, 300));
      continue;
    }
    ++taken;
    keepsLimits(content);
  }
  assert.ok(taken > tries / 100, `${taken} were taken: too few to say anything`);
  assert.equal({}.own, undefined, 'no prototype has been written');
});

test('hands whose word is no word are refused', () => {
  for (const word of [['hold'], { toString: 1 }, [[{ toString: null }]], 7, null]) assert.throws(() => checked({ ...good, hands: { 1: [[word, 1]] } }), { message: refusal });
});

test('fragments changed at random are refused, or keep every limit', async () => {
  const make = new Maker(random(seed + 1));
  const fragments = [await packed(good), await packed({ ...good, text: 'x'.repeat(3000) })];
  for (let k = 0; k < tries / 10; ++k) {
    let fragment = make.one(fragments);
    for (let changes = make.below(3); changes >= 0; --changes) {
      const at = 4 + make.below(fragment.length - 4);
      fragment = fragment.slice(0, at) + make.one(['', 'A', '_', '-', '=', '%', '\u00e9', 'AAAA']) + fragment.slice(at + make.below(3));
    }
    try {
      const state = await unpacked(fragment);
      if (state !== null) keepsLimits(state);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      assert.match(error.message, refusal, fragment);
    }
  }
});

// Links that somebody kept, a line each: 'words: #m1.…'
test('links of a file are answered', { skip: process.env.MUSLIN_LINKS_FILE ? false : 'MUSLIN_LINKS_FILE names none' }, async () => {
  for (const line of readFileSync(process.env.MUSLIN_LINKS_FILE, 'utf8').split('\n')) {
    const at = line.indexOf('#m1.');
    if (at < 0) continue;
    await unpacked(line.slice(at)).then((state) => state && keepsLimits(state), (error) => assert.match(error.message, refusal, line.slice(0, at)));
  }
});
