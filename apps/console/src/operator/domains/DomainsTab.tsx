import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { ConfirmByTyping, Dialog } from "../../ui/Dialog";
import { Badge, EmptyState, Notice } from "../../ui/feedback";
import { Form, Select, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { Switch } from "../../ui/Switch";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { type Domain, domainsKey } from "../api/domains";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useIsOwner, useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { DetailList } from "../details";
import { Loaded } from "../lists/Loaded";

const PURPOSES: Record<Domain["purpose"], string> = {
	login: "Sign-in host",
	email: "Email domain",
};

export function DomainsTab() {
	const { domainsQuery } = useApi();
	const tenant = useTenant();
	const query = useQuery(domainsQuery(tenant.id));
	const [isAdding, setAdding] = useState(false);
	const add = useMayInTenant()("domain:add") && (
		<Button kind="primary" onClick={() => setAdding(true)}>
			Add domain
		</Button>
	);
	return (
		<div className="stack">
			<TenantPageHeader
				title="Domains"
				hint="A tenant proves with a DNS record that it owns a domain. Then its users can sign in at its own host, or its email domain is known."
				actions={query.data && query.data.length > 0 && add}
			/>
			<Loaded
				query={query}
				empty={
					<EmptyState title="No domains yet" action={add}>
						Add a domain, and copy its record to DNS.
					</EmptyState>
				}
			>
				{(domains) => (
					<div className="columns">
						{domains.map((domain) => (
							<DomainCard key={domain.id} domain={domain} />
						))}
					</div>
				)}
			</Loaded>
			<Dialog title="Add a domain" open={isAdding} onClose={() => setAdding(false)}>
				<AddDomainForm onClose={() => setAdding(false)} />
			</Dialog>
		</div>
	);
}

function AddDomainForm({ onClose }: { onClose: () => void }) {
	const tenant = useTenant();
	const { addDomain } = useApi();
	const [host, setHost] = useState("");
	const [purpose, setPurpose] = useState<Domain["purpose"]>("login");
	const add = useApiMutation({
		mutationFn: () => addDomain(tenant.id, { host: host.trim(), purpose }),
		successMessage: "Domain added. Now add its record to DNS.",
		invalidate: [domainsKey(tenant.id)],
		onSuccess: onClose,
	});
	return (
		<Form autoComplete="off" onSubmit={() => !add.isPending && add.mutate()}>
			{add.error && <Notice kind="danger">{add.error.message}</Notice>}
			<TextField
				label="Domain"
				placeholder={purpose === "login" ? "login.example.com" : "example.com"}
				value={host}
				onValueChange={setHost}
				autoCapitalize="none"
				autoComplete="off"
				spellCheck={false}
				required
			/>
			<Select
				label="Used for"
				options={Object.entries(PURPOSES).map(([value, label]) => ({ value, label }))}
				value={purpose}
				onValueChange={(value) => setPurpose(value as Domain["purpose"])}
				hint={
					purpose === "login"
						? "Users sign in at this host. The service must have custom domains enabled."
						: "Emails that end with this domain belong to the tenant."
				}
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={add.isPending}>
					Add domain
				</Button>
			</footer>
		</Form>
	);
}

function DomainCard({ domain }: { domain: Domain }) {
	const tenant = useTenant();
	const toast = useToast();
	const { verifyDomain, updateDomain } = useApi();
	const { id, host, purpose, record, verifiedAt, checkedAt, missingSince } = domain;
	const isVerified = domain.state === "verified";
	const may = useMayInTenant();
	const isOwner = useIsOwner();
	// Links in emails lead to such a host, so an admin does not decide about it.
	const mayVerify = may("domain:verify") && (purpose === "email" || isOwner);
	const invalidate = [domainsKey(tenant.id)];
	const verify = useApiMutation({
		mutationFn: () => verifyDomain(tenant.id, id),
		successMessage: `${host} is verified.`,
		invalidate,
	});
	const update = useApiMutation({
		mutationFn: (change: { primary?: true; discoverable?: boolean }) =>
			updateDomain(tenant.id, id, change),
		successMessage: "Saved.",
		invalidate,
		onError: ({ message }) => toast(message, "danger"),
	});
	return (
		<Card
			title={
				<>
					<span className="break">{host}</span> <DomainState domain={domain} />
				</>
			}
			hint={PURPOSES[purpose]}
		>
			{missingSince && (
				<Notice kind="warning">
					The DNS record is missing since {formatTime(missingSince)}. Add it again, or the tenant
					loses the domain.
				</Notice>
			)}
			{!isVerified && <p>Add this record where the DNS of the domain is managed:</p>}
			<DetailList
				details={[
					{ title: "Type", value: <code>{record.type}</code> },
					{ title: "Name", value: <code>{record.name}</code>, copy: record.name },
					{ title: "Value", value: <code>{record.value}</code>, copy: record.value },
					...(verifiedAt ? [{ title: "Verified", value: formatTime(verifiedAt) }] : []),
					...(checkedAt ? [{ title: "Last check", value: formatTime(checkedAt) }] : []),
				]}
			/>
			{verify.error && <Notice kind="danger">{verify.error.message}</Notice>}
			{isVerified && purpose === "email" && may("domain:update") && (
				<Switch
					label="A sign-in page may find this tenant by an email of this domain"
					checked={domain.discoverable}
					onCheckedChange={(discoverable) => update.mutate({ discoverable })}
				/>
			)}
			<div className="row">
				{mayVerify && (
					<Button busy={verify.isPending} onClick={() => verify.mutate()}>
						Check now<span className="visually-hidden"> for {host}</span>
					</Button>
				)}
				{isVerified &&
					purpose === "login" &&
					!domain.primary &&
					may("domain:update") &&
					isOwner && (
						<Button busy={update.isPending} onClick={() => update.mutate({ primary: true })}>
							Use for links in emails
						</Button>
					)}
				{may("domain:remove") && <RemoveDomain domain={domain} />}
			</div>
		</Card>
	);
}

function DomainState({ domain: { state, primary } }: { domain: Domain }) {
	return (
		<span className="badges">
			{state === "verified" ? (
				<Badge kind="success">Verified</Badge>
			) : (
				<Badge kind="warning">Waiting for the record</Badge>
			)}
			{primary && <Badge kind="info">Used for links in emails</Badge>}
		</span>
	);
}

function RemoveDomain({ domain: { id, host } }: { domain: Domain }) {
	const tenant = useTenant();
	const { removeDomain } = useApi();
	const [isOpen, setOpen] = useState(false);
	const remove = useApiMutation({
		mutationFn: () => removeDomain(tenant.id, id),
		successMessage: `${host} was removed.`,
		invalidate: [domainsKey(tenant.id)],
		onSuccess: () => setOpen(false),
	});
	return (
		<>
			<Button kind="quiet" aria-label={`Remove ${host}`} onClick={() => setOpen(true)}>
				Remove
			</Button>
			<ConfirmByTyping
				title={`Remove ${host}?`}
				expected={host}
				expectedName="the domain"
				action="Remove domain"
				open={isOpen}
				mutation={remove}
				onClose={() => setOpen(false)}
			>
				<p>
					Nobody can sign in at this host any more, and its emails are not trusted any more. If you
					add it again, it needs a new record.
				</p>
			</ConfirmByTyping>
		</>
	);
}
