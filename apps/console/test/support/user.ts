import { configure, fireEvent } from "@testing-library/dom";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { act } from "react";
import { findByLabel, findByRole, type Name } from "./screen";

configure({
	eventWrapper: (dispatch) => {
		let result: unknown;
		act(() => {
			result = dispatch();
		});
		return result;
	},
	asyncWrapper: (run) => run(),
});

/** Each test has its own mouse and keyboard. */
const users = new WeakMap<Element, UserEvent>();

function user(): UserEvent {
	const page = document.body.firstElementChild ?? document.body;
	const known = users.get(page);
	if (known) return known;
	// The clock stands still, and no style sheet says where a click is possible.
	const created = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
	users.set(page, created);
	return created;
}

const run = (action: (user: UserEvent) => Promise<unknown>): Promise<void> =>
	act(async () => {
		await action(user());
	});

/** Clicks an element, or the button with this name as soon as it is there. */
export async function click(target: HTMLElement | Name): Promise<void> {
	const element = target instanceof HTMLElement ? target : await findByRole("button", target);
	await run((user) => user.click(element));
}

/** Replaces the text of the field with this label, in one step: each key would render the page. */
export async function type(label: Name, text: string, root?: HTMLElement): Promise<void> {
	const field = await findByLabel(label, root);
	await run(async (user) => {
		await user.clear(field);
		if (text) await user.paste(text);
	});
}

/** Presses a key where the focus is, such as `{Enter}` or `{Escape}`. */
export const press = (keys: string): Promise<void> => run((user) => user.keyboard(keys));

/** Chooses an option of the list with this label. */
export async function choose(label: Name, option: string, root?: HTMLElement): Promise<void> {
	const list = await findByLabel<HTMLSelectElement>(label, root);
	await run((user) => user.selectOptions(list, option));
}

/** Chooses a file for the field with this label. */
export async function upload(label: Name, file: File, root?: HTMLElement): Promise<void> {
	const field = await findByLabel(label, root);
	await run((user) => user.upload(field, file));
}

/** Drops a file on the field with this label. */
export async function drop(label: Name, file: File): Promise<void> {
	const field = await findByLabel(label);
	await run(async () => void fireEvent.drop(field, { dataTransfer: { files: [file] } }));
}

/** Opens the menu of the button with this name, and chooses an item. */
export async function chooseInMenu(button: Name, item: Name): Promise<void> {
	await click(button);
	await click(await findByRole("menuitem", item));
}
