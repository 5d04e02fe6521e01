import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "../../api/client";
import { formatCount } from "../../format";
import { Button } from "../../ui/Button";
import { Badge, EmptyState, Notice } from "../../ui/feedback";
import { Field, Select } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { type Column, Table } from "../../ui/Table";
import { type ConsoleApi, useApi } from "../api/context";
import { OVERVIEW_KEY } from "../api/service";
import { usersKey } from "../api/users";
import { titleOf } from "../product";
import { useUnsavedChanges } from "../shell/unsaved-changes";
import { useTenant } from "../tenants/tenant-context";
import { inFile, type LineResult, parseImportFile } from "./import-file";
import { UsersTabs } from "./UsersTabs";

const KINDS = {
	created: "success",
	updated: "info",
	unchanged: "neutral",
	failed: "danger",
} as const satisfies Record<LineResult["status"], string>;

const COLUMNS: Column<LineResult>[] = [
	{ title: "Line", heading: true, cell: ({ line }) => formatCount(line) },
	{
		title: "External ID",
		cell: ({ externalId }) => <code className="break">{externalId ?? "–"}</code>,
	},
	{ title: "Result", cell: ({ status }) => <Badge kind={KINDS[status]}>{status}</Badge> },
	{
		title: "Reason",
		cell: ({ code, message }) =>
			code ? (
				<span>
					{message} <code className="muted small">{code}</code>
				</span>
			) : (
				"–"
			),
	},
];

/** More rows would make the page slow. The numbers count all lines. */
const MAX_SHOWN = 500;

const EXAMPLE =
	'{"externalId":"42","email":"ada@example.com","name":"Ada","emailVerified":true,"role":"member"}';

/** Imports users from a file, in small parts, and shows what became of each line. */
export function ImportPage() {
	const tenant = useTenant();
	const { state, start, stop } = useImport(tenant.id);
	const [shown, setShown] = useState("failed");
	useUnsavedChanges(state.isRunning);
	const results = state.results.filter(({ status }) => shown === "all" || status === shown);
	return (
		<div className="stack">
			<title>{titleOf("Import users", tenant.name)}</title>
			<UsersTabs />
			<Card
				title="Import users"
				hint="A file with the JSON of one user per line (NDJSON). A line with a known external ID updates that user. No emails are sent."
			>
				<pre className="code-block">
					<code>{EXAMPLE}</code>
				</pre>
				<Field
					label="File"
					hint="Also: image, disabled, createdAt, accounts, and password with the kind and hash of another service."
				>
					{(control) => (
						<input
							{...control}
							type="file"
							className="control control-file"
							accept=".ndjson,.jsonl,.json,.txt,application/x-ndjson"
							disabled={state.isRunning}
							onChange={({ target }) => {
								const file = target.files?.[0];
								if (file) void start(file);
								// The same file can be chosen again.
								target.value = "";
							}}
						/>
					)}
				</Field>
				{state.count > 0 && (
					<div className="stack stack-tight" aria-live="polite">
						<progress value={state.results.length} max={state.count} aria-label="Imported lines" />
						<p className="small">
							{formatCount(state.results.length)} of {formatCount(state.count)} lines ·{" "}
							{describeCounts(state.results)}
						</p>
					</div>
				)}
				{state.error && (
					<Notice kind="danger">
						The import stopped: {state.error} You can choose the same file again. Lines that were
						imported stay as they are.
					</Notice>
				)}
				{state.isRunning && (
					<div className="row">
						<Button onClick={stop}>Stop</Button>
					</div>
				)}
			</Card>
			{state.results.length > 0 && (
				<>
					<div className="list-bar">
						<Select
							label="Show"
							options={[
								{ value: "failed", label: "Failed lines" },
								{ value: "created", label: "Created users" },
								{ value: "updated", label: "Updated users" },
								{ value: "all", label: "All lines" },
							]}
							value={shown}
							onValueChange={setShown}
						/>
					</div>
					<Table
						caption="Results of the import"
						columns={COLUMNS}
						rows={results.slice(0, MAX_SHOWN)}
						rowKey={({ line }) => String(line)}
						empty={<EmptyState title={shown === "failed" ? "No line has failed" : "No lines"} />}
					/>
					{results.length > MAX_SHOWN && (
						<p className="muted small">
							The first {formatCount(MAX_SHOWN)} of {formatCount(results.length)}.
						</p>
					)}
				</>
			)}
		</div>
	);
}

const describeCounts = (results: LineResult[]) =>
	Object.keys(KINDS)
		.map((status) => {
			const count = results.filter((result) => result.status === status).length;
			return `${formatCount(count)} ${status}`;
		})
		.join(", ");

type ImportState = { isRunning: boolean; count: number; results: LineResult[]; error: string };

const NOTHING: ImportState = { isRunning: false, count: 0, results: [], error: "" };

function useImport(tenantId: string) {
	const [state, setState] = useState(NOTHING);
	const { importUsers } = useApi();
	const queryClient = useQueryClient();
	const isStopped = useRef(false);
	const start = async (file: File) => {
		isStopped.current = false;
		const { batches, failed, count } = parseImportFile(await file.text());
		if (count === 0) return setState({ ...NOTHING, error: "The file has no lines." });
		setState({ ...NOTHING, isRunning: true, count, results: failed });
		let error = "";
		for (const batch of batches) {
			if (isStopped.current) break;
			try {
				const users = batch.map(({ user }) => user);
				const results = inFile(batch, await importBatch(importUsers, tenantId, users));
				setState((current) => ({ ...current, results: [...current.results, ...results] }));
			} catch (problem) {
				error = `${(problem as Error).message}.`.replace(/\.\.$/, ".");
				break;
			}
		}
		setState((current) => ({ ...current, isRunning: false, error }));
		await queryClient.invalidateQueries({ queryKey: usersKey(tenantId) });
		await queryClient.invalidateQueries({ queryKey: OVERVIEW_KEY });
	};
	return {
		state,
		start,
		stop: () => {
			isStopped.current = true;
		},
	};
}

const RETRIES = 5;
const RETRY_MS = 3000;

/** The service may limit how many calls it accepts in a while. */
async function importBatch(
	importUsers: ConsoleApi["importUsers"],
	tenantId: string,
	users: unknown[],
): Promise<LineResult[]> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return (await importUsers(tenantId, users)).results;
		} catch (error) {
			const isLimited = error instanceof ApiError && error.status === 429;
			if (!isLimited || attempt > RETRIES) throw error;
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}
}
