import {
	createContext,
	type ReactNode,
	useCallback,
	useContext,
	useEffect,
	useId,
	useRef,
} from "react";
import { useBlocker } from "react-router";
import { Confirm } from "../ui/Dialog";

type SetUnsaved = (form: string, isUnsaved: boolean) => void;

const UnsavedContext = createContext<SetUnsaved>(() => {});

/** Asks before the user leaves the page, as long as a form on it has changes that are not saved. */
export function useUnsavedChanges(isUnsaved: boolean): void {
	const setUnsaved = useContext(UnsavedContext);
	const form = useId();
	useEffect(() => {
		setUnsaved(form, isUnsaved);
		return () => setUnsaved(form, false);
	}, [setUnsaved, form, isUnsaved]);
}

/** A router can have one blocker only, and a page can have several forms. */
export function UnsavedChangesProvider({ children }: { children: ReactNode }) {
	const forms = useRef(new Set<string>());
	const setUnsaved = useCallback<SetUnsaved>((form, isUnsaved) => {
		if (isUnsaved) forms.current.add(form);
		else forms.current.delete(form);
	}, []);
	const blocker = useBlocker(
		({ currentLocation, nextLocation }) =>
			forms.current.size > 0 && currentLocation.pathname !== nextLocation.pathname,
	);
	useEffect(() => {
		// The browser asks in its own words.
		const onBeforeUnload = (event: BeforeUnloadEvent) => {
			if (forms.current.size > 0) event.preventDefault();
		};
		addEventListener("beforeunload", onBeforeUnload);
		return () => removeEventListener("beforeunload", onBeforeUnload);
	}, []);
	return (
		<UnsavedContext value={setUnsaved}>
			{children}
			<Confirm
				title="Leave without saving?"
				action="Leave page"
				open={blocker.state === "blocked"}
				mutation={{ mutate: () => blocker.proceed?.() }}
				onClose={() => blocker.reset?.()}
			>
				<p>Your changes on this page are not saved.</p>
			</Confirm>
		</UnsavedContext>
	);
}
