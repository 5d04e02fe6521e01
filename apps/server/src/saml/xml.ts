export type XmlElement = {
	/** Without a prefix. */
	name: string;
	parent: XmlElement | null;
	/** By names with their prefixes. */
	attributes: ReadonlyMap<string, string>;
	text: string;
};

export class InvalidXml extends Error {}

const DECLARATION = /^\uFEFF?\s*(?:<\?xml\s[^<>?]*\?>)?/;

const TAG = /<(\/?)([^\s<>/="'&!?]+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** What stands between elements and changes nothing. */
const IGNORED = [
	["<!--", "-->"],
	["<?", "?>"],
] as const;

type Limits = { maxElements: number; maxAttributes: number; mayHaveComments: boolean };

/**
 * Reads all elements, in their order. The time depends on the length alone: parsers that build a document
 * need minutes for some small texts. Document types and CDATA are refused, as no message of SAML needs them.
 *
 * @throws InvalidXml
 */
export function readXml(xml: string, limits: Limits): XmlElement[] {
	const elements: XmlElement[] = [];
	let attributeCount = 0;
	let open: XmlElement | null = null;
	let position = DECLARATION.exec(xml)?.[0].length ?? 0;
	while (position < xml.length) {
		const start = xml.indexOf("<", position);
		const text = xml.slice(position, start === -1 ? xml.length : start);
		if (open) open.text += text;
		else if (text.trim() !== "") throw new InvalidXml("There is text outside of the elements");
		if (start === -1) break;
		const end = limits.mayHaveComments ? endOfIgnored(xml, start) : null;
		if (end !== null) {
			position = end;
			continue;
		}
		TAG.lastIndex = start;
		const [tag, slash, fullName = "", attributes = "", selfClosing] = TAG.exec(xml) ?? [];
		if (tag === undefined) throw new InvalidXml("There is a tag that cannot be read");
		position = start + tag.length;
		const name = localName(fullName);
		if (slash) {
			if (!open || open.name !== name || attributes) throw new InvalidXml("Tags do not match");
			open = open.parent;
			continue;
		}
		if (!open && elements.length > 0) throw new InvalidXml("There are two documents");
		const element: XmlElement = {
			name,
			parent: open,
			attributes: readAttributes(attributes),
			text: "",
		};
		attributeCount += element.attributes.size;
		elements.push(element);
		if (elements.length > limits.maxElements || attributeCount > limits.maxAttributes) {
			throw new InvalidXml("There are too many elements");
		}
		if (!selfClosing) open = element;
	}
	if (open || elements.length === 0) throw new InvalidXml("It is not complete");
	return elements;
}

export const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

function endOfIgnored(xml: string, start: number): number | null {
	for (const [opening, closing] of IGNORED) {
		if (!xml.startsWith(opening, start)) continue;
		const end = xml.indexOf(closing, start + opening.length);
		if (end === -1) throw new InvalidXml("There is a comment without an end");
		return end + closing.length;
	}
	return null;
}

function readAttributes(text: string): Map<string, string> {
	const attributes = new Map<string, string>();
	for (const [, name = "", double, single = ""] of text.matchAll(ATTRIBUTE)) {
		if (attributes.has(name)) throw new InvalidXml("An attribute is there twice");
		attributes.set(name, decoded(double ?? single));
	}
	return attributes;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decoded(text: string): string {
	return text.replaceAll(/&([^;&]{0,10});?/g, (_, name: string) => {
		const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
		const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
		if (code <= 0x10ffff) return String.fromCodePoint(code);
		const character = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
		if (character === undefined) throw new InvalidXml("There is an entity that is not known");
		return character;
	});
}
