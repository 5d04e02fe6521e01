import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { CreatedSecret } from "../../ui/CreatedSecret";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { Form, Select, TextField } from "../../ui/fields";
import { useApi } from "../api/context";
import { directoryKey } from "../api/directory";
import { useTenant } from "../current-tenant/tenant-context";

type NewTokenDialogProps = { open: boolean; onClose: () => void };

export function NewTokenDialog({ open, onClose }: NewTokenDialogProps) {
	return (
		<Dialog title="New token" open={open} onClose={onClose}>
			<NewTokenForm onClose={onClose} />
		</Dialog>
	);
}

const EXPIRY_OPTIONS = [
	{ value: "90", label: "In 90 days" },
	{ value: "365", label: "In a year" },
	{ value: "730", label: "In two years" },
];

function NewTokenForm({ onClose }: { onClose: () => void }) {
	const tenant = useTenant();
	const { createDirectoryToken } = useApi();
	const [name, setName] = useState("");
	const [days, setDays] = useState("365");
	const create = useApiMutation({
		mutationFn: () =>
			createDirectoryToken(tenant.id, { name: name.trim(), expiresInDays: Number(days) }),
		invalidate: [directoryKey(tenant.id)],
	});
	if (create.data)
		return <CreatedSecret what="token" value={create.data.token} onClose={onClose} />;
	return (
		<Form onSubmit={() => !create.isPending && create.mutate()}>
			{create.error && <Notice kind="danger">{create.error.message}</Notice>}
			<TextField
				label="Name"
				hint="Such as the name of the directory. The audit log shows it."
				value={name}
				onValueChange={setName}
				maxLength={100}
				autoComplete="off"
				required
				// Not only spaces.
				pattern=".*\S.*"
			/>
			<Select
				label="Expires"
				hint="Before that, create another token and enter it in the directory."
				options={EXPIRY_OPTIONS}
				value={days}
				onValueChange={setDays}
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={create.isPending}>
					Create token
				</Button>
			</footer>
		</Form>
	);
}
