import { useState } from "react";
import { formatCount } from "../../format";
import { Button } from "../../ui/Button";
import { FileField } from "../../ui/FileField";
import { Badge, EmptyState, Notice } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { type Column, Table } from "../../ui/Table";
import { useTenant } from "../current-tenant/tenant-context";
import { titleOf } from "../product";
import { useUnsavedChanges } from "../unsaved-changes";
import type { LineResult } from "./import-file";
import { UsersTabs } from "./UsersTabs";
import { useImport } from "./use-import";

const KINDS = {
	created: "success",
	updated: "info",
	unchanged: "neutral",
	failed: "danger",
} as const satisfies Record<LineResult["status"], string>;

const columnsOf = (isCheck: boolean): Column<LineResult>[] => [
	{ title: "Line", heading: true, cell: ({ line }) => formatCount(line) },
	{
		title: "External ID",
		cell: ({ externalId }) => <code className="break">{externalId ?? "–"}</code>,
	},
	{
		title: "Result",
		cell: ({ status }) => <Badge kind={KINDS[status]}>{isCheck ? CHECKED[status] : status}</Badge>,
	},
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

const EXAMPLES = {
	CSV: "externalId,email,name,emailVerified,role\n42,ada@example.com,Ada,true,member",
	NDJSON:
		'{"externalId":"42","email":"ada@example.com","name":"Ada","emailVerified":true,"role":"member"}',
};

/** Checks a file of users, shows what would become of each line, and then imports it. */
export function ImportPage() {
	const tenant = useTenant();
	const { state, isComplete, check, start, resume, stop } = useImport(tenant.id);
	const [shown, setShown] = useState("failed");
	useUnsavedChanges(state.isRunning);
	const isCheck = state.step === "check";
	const results = state.results.filter(({ status }) => shown === "all" || status === shown);
	const importable = state.results.filter(({ status }) => ["created", "updated"].includes(status));
	return (
		<div className="stack">
			<title>{titleOf("Import users", tenant.name)}</title>
			<UsersTabs />
			<Card
				title="Import users"
				hint="A CSV file with the columns in its first line, or a file with the JSON of one user per line (NDJSON). A line with a known external ID updates that user. No emails are sent."
			>
				{Object.entries(EXAMPLES).map(([format, example]) => (
					<pre key={format} className="code-block">
						<code>{example}</code>
					</pre>
				))}
				<FileField
					label="File"
					hint="It is checked first. Nothing is imported before you confirm. Also: image, disabled, createdAt, and accounts and password with the kind and hash of another service (in CSV: account.google, passwordKind, passwordHash)."
					accept=".csv,.ndjson,.jsonl,.json,.txt,text/csv,application/x-ndjson"
					disabled={state.isRunning}
					forgets
					onFile={(file) => void check(file)}
				/>
				{state.file.count > 0 && (
					<div className="stack stack-tight" aria-live="polite">
						<p className="break">
							<strong>{isCheck ? "Check" : "Import"}</strong> of {state.fileName}
						</p>
						<progress
							value={state.results.length}
							max={state.file.count}
							aria-label={isCheck ? "Checked lines" : "Imported lines"}
						/>
						<p className="small">
							{formatCount(state.results.length)} of {formatCount(state.file.count)} lines ·{" "}
							{describeCounts(state.results, isCheck)}
						</p>
					</div>
				)}
				{state.error && (
					<Notice kind="danger">
						The {isCheck ? "check" : "import"} stopped: {state.error}
					</Notice>
				)}
				{isComplete && isCheck && (
					<Notice kind="info">
						This was a check: nothing is imported yet.
						{importable.length === 0 && " There is nothing to import in this file."}
					</Notice>
				)}
				<div className="row">
					{state.isRunning && <Button onClick={stop}>Stop</Button>}
					{!state.isRunning && state.file.count > 0 && !isComplete && (
						<Button kind="primary" onClick={() => void resume()}>
							Continue the {isCheck ? "check" : "import"}
						</Button>
					)}
					{!state.isRunning && isComplete && isCheck && importable.length > 0 && (
						<Button kind="primary" onClick={() => void start()}>
							Import {formatCount(importable.length)} {importable.length === 1 ? "user" : "users"}
						</Button>
					)}
				</div>
			</Card>
			{state.results.length > 0 && (
				<>
					<div className="list-bar">
						<Select
							label="Show"
							options={[
								{ value: "failed", label: "Failed lines" },
								{ value: "created", label: isCheck ? "New users" : "Created users" },
								{ value: "updated", label: isCheck ? "Changed users" : "Updated users" },
								{ value: "all", label: "All lines" },
							]}
							value={shown}
							onValueChange={setShown}
						/>
					</div>
					<Table
						caption={isCheck ? "Results of the check" : "Results of the import"}
						columns={columnsOf(isCheck)}
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

/** What a check calls them: nothing is created yet. */
const CHECKED = {
	created: "new",
	updated: "changed",
	unchanged: "unchanged",
	failed: "with an error",
} as const satisfies Record<LineResult["status"], string>;

const describeCounts = (results: LineResult[], isCheck: boolean) =>
	(Object.keys(KINDS) as LineResult["status"][])
		.map((status) => {
			const count = results.filter((result) => result.status === status).length;
			return `${formatCount(count)} ${isCheck ? CHECKED[status] : status}`;
		})
		.join(", ");
