import { useSearchParams } from "react-router";

export const PAGE_SIZE = 50;

/** Where one is in a list. It is in the address, so that a reload and the back button keep it. */
export function useListState() {
	const [params, setParams] = useSearchParams();
	const page = Math.max(1, Math.trunc(Number(params.get("page"))) || 1);
	const search = params.get("q") ?? "";

	const change = (changes: Record<string, string>) =>
		setParams(
			(current) => {
				const next = new URLSearchParams(current);
				for (const [name, value] of Object.entries(changes)) {
					if (value) next.set(name, value);
					else next.delete(name);
				}
				return next;
			},
			{ replace: true, preventScrollReset: true },
		);

	return {
		search,
		/** What the endpoints take. */
		window: {
			limit: PAGE_SIZE,
			offset: (page - 1) * PAGE_SIZE,
			...(search ? { search } : {}),
		},
		filter: (name: string) => params.get(name) ?? "",
		/** Another search begins on the first page. */
		setSearch: (text: string) => change({ q: text.trim(), page: "" }),
		setFilter: (name: string, value: string) => change({ [name]: value, page: "" }),
		clear: (names: string[]) =>
			change({ ...Object.fromEntries(names.map((name) => [name, ""])), page: "" }),
		setOffset: (offset: number) =>
			change({ page: offset > 0 ? String(Math.floor(offset / PAGE_SIZE) + 1) : "" }),
	};
}

export type ListState = ReturnType<typeof useListState>;
