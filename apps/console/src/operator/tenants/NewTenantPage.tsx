import { findSlugProblem } from "better-auth-tenant/rules";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Form } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { mayFocusField } from "../../ui/pointer";
import { useApi } from "../api/context";
import { OVERVIEW_KEY } from "../api/service";
import { TENANTS_KEY } from "../api/tenants";
import { BackLink } from "../layout";
import { ServicePageHeader } from "../ServicePageHeader";
import { whyNotSent } from "../save-reasons";
import { useUnsavedChanges } from "../unsaved-changes";
import { MetadataField, NameField, SlugField } from "./tenant-fields";
import { isSlugRejected, parseMetadata, suggestSlug } from "./tenant-form";

export function NewTenantPage() {
	const { createTenant } = useApi();
	const [name, setName] = useState("");
	const [typedSlug, setTypedSlug] = useState<string>();
	const [metadataText, setMetadataText] = useState("{}");
	const navigate = useNavigate();
	const slug = typedSlug ?? suggestSlug(name);
	const { metadata } = parseMetadata(metadataText);
	const create = useApiMutation({
		mutationFn: createTenant,
		successMessage: "Tenant created.",
		invalidate: [TENANTS_KEY, OVERVIEW_KEY],
		onSuccess: ({ id }) => navigate(`/tenants/${id}`),
	});
	const isReady = name.trim() !== "" && findSlugProblem(slug) === null && metadata !== null;
	const submit = () => {
		if (!isReady || create.isPending) return;
		const hasMetadata = Object.keys(metadata).length > 0;
		create.mutate({ name: name.trim(), slug, ...(hasMetadata ? { metadata } : {}) });
	};
	useUnsavedChanges((name !== "" || typedSlug !== undefined) && !create.isPending);
	const slugRejected = isSlugRejected(create.error);
	return (
		<div className="stack narrow">
			<BackLink to="/tenants">Tenants</BackLink>
			<ServicePageHeader title="New tenant" />
			<Card>
				<Form onSubmit={submit}>
					{create.error && !slugRejected && <Notice kind="danger">{create.error.message}</Notice>}
					<NameField value={name} onValueChange={setName} autoFocus={mayFocusField()} />
					<SlugField
						value={slug}
						onValueChange={(typed) => {
							create.reset();
							setTypedSlug(typed);
						}}
						error={slugRejected ? create.error?.message : undefined}
					/>
					<details className="more">
						<summary>Metadata</summary>
						<MetadataField value={metadataText} onValueChange={setMetadataText} />
					</details>
					<div className="row">
						<Button
							kind="primary"
							type="submit"
							busy={create.isPending}
							unavailable={whyNotSent(isReady)}
						>
							Create tenant
						</Button>
					</div>
				</Form>
			</Card>
		</div>
	);
}
