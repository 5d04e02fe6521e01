import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { CreatedSecret } from "../../ui/CreatedSecret";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { Form, Select, TextField } from "../../ui/fields";
import type { Option } from "../../ui/OptionList";
import { createKey, KEY_ROLES, keysQuery, ROLE_HINTS, ROLE_LABELS } from "../api/operators";
import { TenantOptions } from "../current-tenant/TenantSwitcher";
import { FilterPicker } from "../lists/FilterPicker";
import { ActionChecks } from "./ActionChecks";

type NewKeyDialogProps = { open: boolean; onClose: () => void };

export function NewKeyDialog({ open, onClose }: NewKeyDialogProps) {
	return (
		<Dialog title="New key" open={open} onClose={onClose}>
			<NewKeyForm onClose={onClose} />
		</Dialog>
	);
}

const OWN_SCOPES = "";
const SCOPE_OPTIONS = [
	...KEY_ROLES.map((role) => ({ value: role as string, label: ROLE_LABELS[role] })),
	{ value: OWN_SCOPES, label: "Single actions" },
];

const DAY_MS = 24 * 60 * 60 * 1000;
const EXPIRY_OPTIONS = [
	{ value: "30", label: "In 30 days" },
	{ value: "90", label: "In 90 days" },
	{ value: "365", label: "In a year" },
	{ value: "", label: "Never" },
];

function NewKeyForm({ onClose }: { onClose: () => void }) {
	const [name, setName] = useState("");
	const [role, setRole] = useState<string>("auditor");
	const [actions, setActions] = useState<string[]>([]);
	const [tenant, setTenant] = useState<Option | null>(null);
	const [days, setDays] = useState("90");
	const create = useApiMutation({
		mutationFn: async () => {
			const scopes = role === OWN_SCOPES ? actions : [role];
			if (scopes.length === 0) throw new Error("Choose at least one action.");
			return createKey({
				name: name.trim(),
				scopes,
				...(tenant ? { tenantId: tenant.id } : {}),
				...(days ? { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() } : {}),
			});
		},
		invalidate: [keysQuery.queryKey],
	});
	if (create.data) return <CreatedSecret what="key" value={create.data.key} onClose={onClose} />;
	const hint = KEY_ROLES.find((one) => one === role);
	return (
		<Form onSubmit={() => !create.isPending && create.mutate()}>
			{create.error && <Notice kind="danger">{create.error.message}</Notice>}
			<TextField
				label="Name"
				hint="What the key is for. The audit log shows it."
				value={name}
				onValueChange={setName}
				maxLength={100}
				autoComplete="off"
				required
				// Not only spaces.
				pattern=".*\S.*"
			/>
			<Select
				label="May do"
				hint={hint && `${ROLE_HINTS[hint]}.`}
				options={SCOPE_OPTIONS}
				value={role}
				onValueChange={setRole}
			/>
			{role === OWN_SCOPES && <ActionChecks chosen={actions} onChange={setActions} />}
			<FilterPicker
				label="Tenant"
				chosen={tenant?.text ?? null}
				none="All tenants"
				hint="A key can be limited to one tenant."
				onChoose={setTenant}
				onClear={() => setTenant(null)}
			>
				{(choose) => <TenantOptions onChoose={choose} />}
			</FilterPicker>
			<Select label="Expires" options={EXPIRY_OPTIONS} value={days} onValueChange={setDays} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={create.isPending}>
					Create key
				</Button>
			</footer>
		</Form>
	);
}
