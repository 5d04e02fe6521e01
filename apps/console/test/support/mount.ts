import type { QueryClient } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished, vi } from "vitest";
import "./owner-stacks";
import { supportPopovers } from "./popovers";
import { pass, startClock, stopClock } from "./time";

type Mounted = {
	/** The path and the query of the page: `/console/tenants?page=2`. */
	path: string;
	queryClient: QueryClient;
	/** Called after the URL is set, because routers read it. */
	app: () => { element: ReactNode; dispose?: () => void };
	/** `<meta>` tags that the server writes into the page. */
	meta: Record<string, string>;
};

const reactGlobal = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };

/** Opens a page in the document, and removes every trace of it after the test. */
export async function mount({ path, queryClient, app, meta }: Mounted): Promise<void> {
	stopClock();
	reactGlobal.IS_REACT_ACT_ENVIRONMENT = true;
	const removePopovers = supportPopovers();
	const computeStyle = window.getComputedStyle;
	// No style sheet is loaded, so there is nothing to compute. Names of elements are found in half the time.
	window.getComputedStyle = (element) => (element as HTMLElement).style;
	// React reports what is wrong here, for example an error that no part of the page handles.
	const errors = vi.spyOn(console, "error").mockImplementation(() => {});
	for (const [name, content] of Object.entries(meta)) {
		document.head.append(Object.assign(document.createElement("meta"), { name, content }));
	}
	const container = document.body.appendChild(document.createElement("div"));
	const root = createRoot(container);
	history.replaceState(null, "", path);
	const { element, dispose } = app();

	onTestFinished(async () => {
		act(() => root.unmount());
		dispose?.();
		queryClient.clear();
		// Requests that are under way end here, while their timers are not real.
		await pass(0);
		removePopovers();
		window.getComputedStyle = computeStyle;
		document.body.replaceChildren();
		document.head.replaceChildren();
		localStorage.clear();
		sessionStorage.clear();
		history.replaceState(null, "", "/");
		delete reactGlobal.IS_REACT_ACT_ENVIRONMENT;
		startClock();
		const messages = errors.mock.calls.filter(isOfPage).map((call) => call.map(String).join(" "));
		errors.mockRestore();
		if (messages.length > 0) throw new Error(`The page logged an error:\n${messages.join("\n")}`);
	});

	await act(async () => root.render(element));
	await pass(0);
}

/** happy-dom does not know `<search>`, and React says so once. */
const isOfPage = ([message, tag]: unknown[]) =>
	!(String(message).startsWith("The tag <%s> is unrecognized") && tag === "search");
