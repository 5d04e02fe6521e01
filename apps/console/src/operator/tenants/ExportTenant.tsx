import { useEffect, useRef, useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatBytes } from "../../format";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { Form, PasswordField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { NewPasswordField } from "../../ui/NewPasswordField";
import { exportTenant, MIN_FILE_PASSWORD } from "../api/tenant-file";
import type { Tenant } from "../api/tenants";
import { ActionItem } from "../layout";
import { download } from "../lists/export-list";
import { whyNotSent } from "../save-reasons";
import { useMay } from "../session/operator";
import { isOwnPasswordWrong, OwnPasswordField } from "./OwnPasswordField";

type TenantProps = { tenant: Tenant };

/** A whole tenant as an encrypted file, for those who may read every secret of it. */
export function ExportTenant({ tenant }: TenantProps) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	if (!useMay()("tenant:export")) return null;
	return (
		<Card title="Backup and move">
			<ul className="items">
				<ActionItem
					title="Export tenant"
					hint="Everything of the tenant in one encrypted file: as a backup, for a customer who wants their data, or to move the tenant to another service. Sessions and tokens are not in it."
				>
					<Button onClick={() => setOpen(true)}>Export</Button>
				</ActionItem>
			</ul>
			<Dialog title={`Export ${tenant.name}`} open={isOpen} onClose={close}>
				<ExportForm tenant={tenant} onClose={close} />
			</Dialog>
		</Card>
	);
}

function ExportForm({ tenant, onClose }: TenantProps & { onClose: () => void }) {
	const { id, slug, name, suspendedAt } = tenant;
	const [password, setPassword] = useState("");
	const [repeated, setRepeated] = useState("");
	const [currentPassword, setCurrentPassword] = useState("");
	const [bytes, setBytes] = useState(0);
	const running = useRef(new AbortController());
	// A dialog that is closed ends the export.
	useEffect(() => () => running.current.abort(), []);
	const fileName = `${slug}.age`;
	const save = useApiMutation({
		mutationFn: async () => {
			setBytes(0);
			running.current = new AbortController();
			const { signal } = running.current;
			const input = { tenantId: id, password, currentPassword };
			const content = await exportTenant(input, { onProgress: setBytes, signal });
			download(content, fileName);
			return content.size;
		},
		onError: () => setCurrentPassword(""),
	});
	if (save.data) {
		return (
			<>
				<Notice kind="success">
					{name} was exported to {fileName} ({formatBytes(save.data)}).
				</Notice>
				<p>
					The format is that of age: <code>age --decrypt {fileName}</code> shows one JSON object per
					line. To move the tenant, import the file into the other service, check it there, resume
					it, and delete it here.
				</p>
				<footer className="dialog-foot">
					<Button kind="primary" onClick={onClose}>
						Done
					</Button>
				</footer>
			</>
		);
	}
	const isDifferent = repeated !== "" && repeated !== password;
	const isReady = password.length >= MIN_FILE_PASSWORD && repeated === password;
	return (
		<Form onSubmit={() => isReady && !save.isPending && save.mutate()}>
			<p>
				The file has password hashes, and all secrets of the tenant. It is encrypted with a password
				of its own. Without that password, nobody can read it.
			</p>
			{!suspendedAt && (
				<Notice kind="warning">
					{slug} is not suspended: changes during the export may be missing. To move it, suspend it
					first.
				</Notice>
			)}
			{save.error && !isOwnPasswordWrong(save.error) && (
				<Notice kind="danger">{save.error.message}</Notice>
			)}
			<NewPasswordField
				label="Password of the file"
				hint={`At least ${MIN_FILE_PASSWORD} characters. The import asks for it.`}
				value={password}
				onValueChange={setPassword}
				minLength={MIN_FILE_PASSWORD}
				personal={[name, slug]}
			/>
			<PasswordField
				label="The same again"
				value={repeated}
				onValueChange={setRepeated}
				error={isDifferent ? "The passwords are not the same." : undefined}
				autoComplete="new-password"
				required
			/>
			<OwnPasswordField
				value={currentPassword}
				onValueChange={setCurrentPassword}
				error={save.error}
			/>
			<footer className="dialog-foot">
				{save.isPending && <span className="muted small">{formatBytes(bytes)}</span>}
				<Button onClick={onClose}>Cancel</Button>
				<Button
					kind="primary"
					type="submit"
					busy={save.isPending}
					unavailable={whyNotSent(isReady)}
				>
					Export tenant
				</Button>
			</footer>
		</Form>
	);
}
