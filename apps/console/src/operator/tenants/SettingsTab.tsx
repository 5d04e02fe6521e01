import { useQueryClient } from "@tanstack/react-query";
import { findSlugProblem } from "better-auth-tenant/rules";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Form } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { TENANTS_KEY, type Tenant, type TenantChanges } from "../api/tenants";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import {
	useIsOperator,
	useIsOwner,
	useMayInTenant,
	useTenant,
} from "../current-tenant/tenant-context";
import { whyNotSaved } from "../save-reasons";
import { useUnsavedChanges } from "../unsaved-changes";
import { DangerZone } from "./DangerZone";
import { ExportTenant } from "./ExportTenant";
import { MetadataField, NameField, SlugField } from "./tenant-fields";
import { formatMetadata, isSlugRejected, parseMetadata } from "./tenant-form";

export function SettingsTab() {
	const tenant = useTenant();
	const metadata = JSON.stringify(tenant.metadata);
	const isOperator = useIsOperator();
	return (
		<div className="stack">
			<TenantPageHeader title="Settings" />
			<div className="columns">
				{/* With these keys a form starts again when its data changes, also through another form. */}
				<div className="stack">
					<NameForm key={`name ${tenant.name} ${tenant.slug}`} tenant={tenant} />
					<ExportTenant tenant={tenant} />
					<DangerZone tenant={tenant} />
				</div>
				{/* Except for the branding, the metadata belongs to the app. */}
				{isOperator && <MetadataForm key={`metadata ${metadata}`} tenant={tenant} />}
			</div>
		</div>
	);
}

type FormProps = { tenant: Tenant };

function useUpdateTenant({ id }: Tenant) {
	const { tenantQuery, updateTenant } = useApi();
	const queryClient = useQueryClient();
	return useApiMutation({
		mutationFn: (changes: TenantChanges) => updateTenant(id, changes),
		successMessage: "Saved.",
		invalidate: [tenantQuery(id).queryKey, TENANTS_KEY],
		// The other forms build on the stored metadata, so they need the new one at once.
		onSuccess: (tenant) => queryClient.setQueryData(tenantQuery(id).queryKey, tenant),
	});
}

function NameForm({ tenant }: FormProps) {
	const [name, setName] = useState(tenant.name);
	const [slug, setSlug] = useState(tenant.slug);
	const save = useUpdateTenant(tenant);
	const isChanged = name.trim() !== tenant.name || slug !== tenant.slug;
	const isValid = name.trim() !== "" && (slug === tenant.slug || findSlugProblem(slug) === null);
	const reason = whyNotSaved(isChanged, isValid);
	useUnsavedChanges(isChanged && !save.isPending);
	const slugRejected = isSlugRejected(save.error);
	const mayUpdate = useMayInTenant()("tenant:update");
	const mayRename = useIsOwner();
	const isOperator = useIsOperator();
	const changes = {
		...(name.trim() === tenant.name ? {} : { name: name.trim() }),
		// An admin of the tenant may not send it, not even unchanged.
		...(slug === tenant.slug ? {} : { slug }),
	};
	return (
		<Card title="Name and slug">
			<Form
				readOnly={!mayUpdate}
				onSubmit={() => reason === null && !save.isPending && save.mutate(changes)}
			>
				{save.error && !slugRejected && <Notice kind="danger">{save.error.message}</Notice>}
				<NameField value={name} onValueChange={setName} />
				<SlugField
					value={slug}
					current={tenant.slug}
					readOnly={!mayRename}
					canCheck={isOperator}
					onValueChange={(typed) => {
						save.reset();
						setSlug(typed);
					}}
					error={slugRejected ? save.error?.message : undefined}
				/>
				{slug !== tenant.slug && (
					<Notice kind="warning">
						The slug is part of the URLs of the tenant's pages. Links to the old URLs will stop
						working.
					</Notice>
				)}
				{mayUpdate && (
					<SaveButton busy={save.isPending} unavailable={reason}>
						Save name and slug
					</SaveButton>
				)}
			</Form>
		</Card>
	);
}

function MetadataForm({ tenant }: FormProps) {
	const stored = formatMetadata(tenant.metadata);
	const [text, setText] = useState(stored);
	const save = useUpdateTenant(tenant);
	const mayUpdate = useMayInTenant()("tenant:update");
	const { metadata } = parseMetadata(text);
	const isReady = metadata !== null && text !== stored;
	useUnsavedChanges(text !== stored && !save.isPending);
	return (
		<Card title="Metadata" hint="Your own data about this tenant.">
			<Form
				readOnly={!mayUpdate}
				onSubmit={() => isReady && !save.isPending && save.mutate({ metadata })}
			>
				<MetadataField value={text} onValueChange={setText} error={save.error?.message} />
				{mayUpdate && (
					<SaveButton
						busy={save.isPending}
						unavailable={whyNotSaved(text !== stored, metadata !== null)}
					>
						Save metadata
					</SaveButton>
				)}
			</Form>
		</Card>
	);
}

type SaveButtonProps = { busy: boolean; unavailable: string | null; children: string };

function SaveButton(props: SaveButtonProps) {
	return (
		<div className="row">
			<Button kind="primary" type="submit" {...props} />
		</div>
	);
}
