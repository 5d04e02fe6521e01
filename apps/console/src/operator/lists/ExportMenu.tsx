import { useState } from "react";
import type { Page } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { formatCount } from "../../format";
import { Menu } from "../../ui/Menu";
import { useToast } from "../../ui/Toast";
import { type Columns, download, type ExportFormat, exportList } from "./export-list";

const PAGE_SIZE = 1000;

/** Which part of the list is read. */
type Part = { limit: number; total: "none" } & ({ offset: number } | { cursor: string });

type ExportMenuProps<Row> = {
	/** The start of the file's name. */
	name: string;
	/** The columns of a CSV file. */
	columns: Columns<Row>;
	readPage: (part: Part) => Promise<Page<Row>>;
};

/** Exports a whole list, and not only the page that is shown. */
export function ExportMenu<Row>({ name, columns, readPage }: ExportMenuProps<Row>) {
	const toast = useToast();
	const [count, setCount] = useState(0);
	const save = useApiMutation({
		mutationFn: async (format: ExportFormat) => {
			setCount(0);
			const content = await exportList({
				format,
				columns,
				onProgress: setCount,
				readPage: (cursor) =>
					readPage({ limit: PAGE_SIZE, total: "none", ...(cursor ? { cursor } : { offset: 0 }) }),
			});
			download(content, `${name}-${new Date().toISOString().slice(0, 10)}.${format}`);
		},
		onError: ({ message }) => toast(`Could not export: ${message}`, "danger"),
	});
	const unavailable = save.isPending ? "An export is running." : null;
	return (
		<Menu
			label="Export"
			className="button button-secondary"
			button={save.isPending ? `Exporting ${formatCount(count)}` : "Export"}
			items={[
				{ label: "CSV", unavailable, onSelect: () => save.mutate("csv") },
				{ label: "NDJSON", unavailable, onSelect: () => save.mutate("ndjson") },
			]}
		/>
	);
}
