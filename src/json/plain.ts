/** Which objects have no members but those they show. */

/** Objects without a prototype and object literals; a Date or a Map has members that its keys do not show. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Whether some script gave all objects a member: those of `JSON.parse` then seem to have it too. */
export function isPolluted(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}
