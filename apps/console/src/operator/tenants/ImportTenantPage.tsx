import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { ApiError } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { formatBytes, formatCount } from "../../format";
import { Button } from "../../ui/Button";
import { FileField } from "../../ui/FileField";
import { Notice } from "../../ui/feedback";
import { Form, PasswordField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { type Column, Table } from "../../ui/Table";
import { useApi } from "../api/context";
import { confirmOperator } from "../api/operators";
import { OVERVIEW_KEY } from "../api/service";
import { type ImportReport, importTenant, MAX_FILE_BYTES } from "../api/tenant-file";
import { TENANTS_KEY } from "../api/tenants";
import { BackLink } from "../layout";
import { ServicePageHeader } from "../ServicePageHeader";
import { whyNotSent } from "../save-reasons";
import { useMay } from "../session/operator";
import { useUnsavedChanges } from "../unsaved-changes";
import { isOwnPasswordWrong, OwnPasswordField } from "./OwnPasswordField";

/** Creates a tenant from the file of another one, as the command line does. */
export function ImportTenantPage() {
	const [report, setReport] = useState<ImportReport>();
	const mayImport = useMay()("tenant:import");
	return (
		<div className="stack narrow">
			<BackLink to="/tenants">Tenants</BackLink>
			<ServicePageHeader
				title="Import tenant"
				hint="Creates a tenant from the file of an export, with everything in it. Import only files that you trust: who made it decided who is an owner, and which domains are verified."
			/>
			{!mayImport && (
				<Notice kind="warning">
					You may not import tenants. It needs the permission <code>tenant:import</code>.
				</Notice>
			)}
			{mayImport && !report && <ImportForm onDone={setReport} />}
			{report && <Imported report={report} />}
		</div>
	);
}

function ImportForm({ onDone }: { onDone: (report: ImportReport) => void }) {
	const [file, setFile] = useState<File>();
	const [password, setPassword] = useState("");
	const [currentPassword, setCurrentPassword] = useState("");
	const [releaseSlug, setReleaseSlug] = useState(false);
	const [bytes, setBytes] = useState(0);
	const running = useRef(new AbortController());
	const save = useApiMutation({
		mutationFn: async (chosen: File) => {
			setBytes(0);
			running.current = new AbortController();
			// Before a large file is sent.
			await confirmOperator("tenant:import", currentPassword);
			const settings = { password, currentPassword, releaseSlug };
			const { signal } = running.current;
			return importTenant(chosen, settings, { onProgress: setBytes, signal });
		},
		invalidate: [TENANTS_KEY, OVERVIEW_KEY],
		onSuccess: onDone,
	});
	useUnsavedChanges(save.isPending);
	// Who leaves the page ends the import.
	useEffect(() => () => running.current.abort(), []);
	const isTooLarge = file !== undefined && file.size > MAX_FILE_BYTES;
	const isReady = file !== undefined && !isTooLarge && password !== "";
	return (
		<Card>
			<Form onSubmit={() => isReady && !save.isPending && save.mutate(file)}>
				{save.error && !isOwnPasswordWrong(save.error) && <Failure error={save.error} />}
				<FileField
					label="File"
					error={
						isTooLarge
							? "The file is larger than 1 GiB. Import it with the command line: tenant-auth tenant import."
							: undefined
					}
					required
					disabled={save.isPending}
					onFile={setFile}
				/>
				<PasswordField
					label="Password of the file"
					value={password}
					onValueChange={setPassword}
					autoComplete="off"
					required
				/>
				<OwnPasswordField
					value={currentPassword}
					onValueChange={setCurrentPassword}
					error={save.error}
				/>
				<label className="check">
					<input
						type="checkbox"
						checked={releaseSlug}
						onChange={({ target }) => setReleaseSlug(target.checked)}
					/>
					Take the slug also if a tenant that was deleted had it
				</label>
				{save.isPending && file && (
					<div className="stack stack-tight" aria-live="polite">
						<progress value={bytes} max={file.size} aria-label="Imported part of the file" />
						<p className="small">
							{formatBytes(bytes)} of {formatBytes(file.size)}
						</p>
					</div>
				)}
				<div className="row">
					<Button
						kind="primary"
						type="submit"
						busy={save.isPending}
						unavailable={whyNotSent(isReady)}
					>
						Import tenant
					</Button>
					{save.isPending && <Button onClick={() => running.current.abort()}>Stop</Button>}
				</div>
			</Form>
		</Card>
	);
}

/** What may have been imported already stays, suspended. */
function Failure({ error }: { error: Error }) {
	const isInterrupted = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
	return (
		<Notice kind="danger">
			{error.message}
			{isInterrupted && " Import the same file again to continue where it was interrupted."}
		</Notice>
	);
}

const COLUMNS: Column<[table: string, rows: number]>[] = [
	{ title: "Table", heading: true, cell: ([table]) => <code>{table}</code> },
	{ title: "Rows", cell: ([, rows]) => formatCount(rows) },
];

function Imported({ report }: { report: ImportReport }) {
	const { tenantId, slug, written, existing, tables } = report;
	const { resumeTenant, tenantQuery } = useApi();
	const resume = useApiMutation({
		mutationFn: () => resumeTenant(tenantId),
		successMessage: `${slug} was resumed.`,
		invalidate: [TENANTS_KEY, tenantQuery(tenantId).queryKey],
	});
	const mayResume = useMay()("tenant:resume");
	return (
		<Card
			title={`Imported ${slug}`}
			hint={`${formatCount(written)} rows written, ${formatCount(existing)} were there already. All are as in the file.`}
		>
			{resume.isSuccess ? (
				<Notice kind="success">The tenant is open.</Notice>
			) : (
				<Notice kind="info">
					It is suspended. Check it, and then resume it. If you have moved it, delete it in the old
					service afterwards.
				</Notice>
			)}
			{resume.error && <Notice kind="danger">{resume.error.message}</Notice>}
			<div className="row">
				<Link to={`/tenants/${tenantId}`} className="button button-primary">
					Open {slug}
				</Link>
				{mayResume && !resume.isSuccess && (
					<Button busy={resume.isPending} onClick={() => resume.mutate()}>
						Resume
					</Button>
				)}
			</div>
			<Table
				caption="Imported rows"
				columns={COLUMNS}
				rows={Object.entries(tables)}
				rowKey={([table]) => table}
				empty={null}
			/>
		</Card>
	);
}
