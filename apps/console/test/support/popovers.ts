/** What happy-dom does not have: panels that a button with `popovertarget` opens. */
export function supportPopovers(): () => void {
	const open = new Set<HTMLElement>();

	const change = (panel: HTMLElement, newState: "open" | "closed") => {
		if (open.has(panel) === (newState === "open")) return;
		const states = { newState, oldState: newState === "open" ? "closed" : "open" };
		panel.dispatchEvent(Object.assign(new Event("beforetoggle"), states));
		if (newState === "open") open.add(panel);
		else open.delete(panel);
		panel.dispatchEvent(Object.assign(new Event("toggle"), states));
	};
	const close = (panel: HTMLElement) => change(panel, "closed");

	const onClick = ({ target }: Event) => {
		const element = target as Element;
		const button = element.closest("[popovertarget]");
		const panel = document.getElementById(button?.getAttribute("popovertarget") ?? "");
		// A click outside closes a panel.
		for (const other of open) if (other !== panel && !other.contains(element)) close(other);
		if (panel) change(panel, open.has(panel) ? "closed" : "open");
	};
	const onKeyDown = ({ key }: KeyboardEvent) => {
		if (key === "Escape") [...open].forEach(close);
	};

	const { prototype } = HTMLElement;
	prototype.showPopover = function (this: HTMLElement) {
		change(this, "open");
	};
	prototype.hidePopover = function (this: HTMLElement) {
		close(this);
	};
	// On the window: the page handles a click before the browser does.
	window.addEventListener("click", onClick);
	window.addEventListener("keydown", onKeyDown);
	return () => {
		window.removeEventListener("click", onClick);
		window.removeEventListener("keydown", onKeyDown);
		Reflect.deleteProperty(prototype, "showPopover");
		Reflect.deleteProperty(prototype, "hidePopover");
	};
}
