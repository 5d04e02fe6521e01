import {
	type ByRoleMatcher,
	configure,
	type Matcher,
	queryAllByLabelText,
	queryAllByRole,
	queryAllByText,
} from "@testing-library/dom";
import { expect } from "vitest";
import { until } from "./time";

/** A text, or a pattern where only a part of it matters. */
export type Name = string | RegExp;

configure({
	// Our style sheets are not loaded, so nothing is hidden, and looking for it costs most of the time.
	defaultHidden: true,
});

type Query = (root: HTMLElement) => HTMLElement[];

const query = (description: string, all: Query) => ({ description, all });

const roleQuery = (role: ByRoleMatcher, name?: Name) =>
	query(`${role}${name === undefined ? "" : ` "${name}"`}`, (root) =>
		queryAllByRole(root, role, name === undefined ? {} : { name }),
	);

const labelQuery = (label: Matcher) =>
	query(`field "${label}"`, (root) =>
		queryAllByLabelText(root, label, { selector: "input, select, textarea" }),
	);

const textQuery = (text: Matcher) =>
	query(`text "${text}"`, (root) => queryAllByText(root, text, { ignore: "script, style, title" }));

type Described = ReturnType<typeof query>;

function one({ description, all }: Described, root: HTMLElement): HTMLElement {
	const found = all(root);
	const [first] = found;
	if (first && found.length === 1) return first;
	throw new Error(`The page has ${found.length || "no"} ${description}.\n\n${describePage()}`);
}

async function find(described: Described, root: HTMLElement): Promise<HTMLElement> {
	await until(() => described.all(root).length > 0);
	return one(described, root);
}

const describePage = () => `It shows: ${textOf(document.body)}`;

/** Elements that are part of a sentence. */
const INLINE = "a, b, code, em, span, strong, time, wbr";

/** The text of an element as a user reads it: with a space between its parts. */
export function textOf(element: Element): string {
	const read = (node: Node): string => {
		if (!(node instanceof Element)) return node.textContent ?? "";
		const text = [...node.childNodes].map(read).join("");
		return node.matches(INLINE) ? text : ` ${text} `;
	};
	return read(element).replace(/\s+/g, " ").trim();
}

/** The only element with this role and name. Fails if there is none, or more than one. */
export const byRole = <Found extends HTMLElement = HTMLElement>(
	role: ByRoleMatcher,
	name?: Name,
	root = document.body,
) => one(roleQuery(role, name), root) as Found;
export const allByRole = (role: ByRoleMatcher, name?: Name, root = document.body) =>
	roleQuery(role, name).all(root);
/** Waits until it is there. */
export const findByRole = (role: ByRoleMatcher, name?: Name, root = document.body) =>
	find(roleQuery(role, name), root);

/** The control with this label. */
export const byLabel = <Control extends HTMLElement = HTMLInputElement>(
	label: Name,
	root = document.body,
) => one(labelQuery(label), root) as Control;
export const findByLabel = <Control extends HTMLElement = HTMLInputElement>(
	label: Name,
	root = document.body,
) => find(labelQuery(label), root) as Promise<Control>;

export const allByLabel = (label: Name, root = document.body) => labelQuery(label).all(root);

export const allByText = (text: Name, root = document.body) => textQuery(text).all(root);

/** Waits until the page shows all these texts, anywhere. Fails with the text of the page if it does not. */
export async function findTexts(...texts: string[]): Promise<void> {
	let missing: string[] = texts;
	await until(() => {
		const shown = textOf(document.body);
		missing = texts.filter((text) => !shown.includes(text));
		return missing.length === 0;
	});
	if (missing.length > 0) {
		throw new Error(`The page does not show: ${missing.join(" | ")}\n\n${describePage()}`);
	}
	expect(missing).toEqual([]);
}

/** Whether the page says to screen readers that something on it is loading. */
export const isBusy = (): boolean => document.querySelector('[aria-busy="true"]') !== null;

/** Why a button cannot be used; `null` if it can. */
export function reasonOf(button: HTMLElement): string | null {
	if (button.getAttribute("aria-disabled") !== "true") return null;
	const id = button.getAttribute("aria-describedby") ?? "";
	return document.getElementById(id)?.textContent ?? "";
}
