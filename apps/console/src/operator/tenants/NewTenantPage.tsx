import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { Notice } from "../../ui/Notice";
import { PageHeader } from "../../ui/PageHeader";
import { TextField } from "../../ui/TextField";
import { createTenant } from "../api/tenants";
import { useChange } from "../change";
import { BackLink } from "../layout/BackLink";
import { MetadataField } from "./MetadataField";
import { parseMetadata } from "./metadata-text";
import { SlugField } from "./SlugField";
import { findSlugProblem, isAboutSlug, suggestSlug } from "./slug-rules";

export function NewTenantPage() {
	const [name, setName] = useState("");
	const [ownSlug, setOwnSlug] = useState<string>();
	const [metadataText, setMetadataText] = useState("{}");
	const navigate = useNavigate();
	const slug = ownSlug ?? suggestSlug(name);
	const { metadata } = parseMetadata(metadataText);
	const create = useChange({
		change: createTenant,
		said: "The tenant was created.",
		refresh: [["tenants"], ["overview"]],
		after: ({ id }) => navigate(`/tenants/${id}`),
	});
	const isReady = name.trim() !== "" && findSlugProblem(slug) === null && metadata !== null;
	return (
		<div className="stack narrow">
			<title>New tenant · Console</title>
			<BackLink to="/tenants">Tenants</BackLink>
			<PageHeader title="New tenant" focus={false} />
			<Card>
				<form
					className="stack"
					onSubmit={(event) => {
						event.preventDefault();
						if (!isReady || create.isPending) return;
						const hasMetadata = Object.keys(metadata).length > 0;
						create.mutate({ name: name.trim(), slug, ...(hasMetadata ? { metadata } : {}) });
					}}
				>
					{create.error && !isAboutSlug(create.error) && (
						<Notice kind="danger">{create.error.message}</Notice>
					)}
					<TextField
						label="Name"
						value={name}
						onChange={(event) => setName(event.target.value)}
						maxLength={200}
						autoComplete="off"
						required
					/>
					<SlugField
						value={slug}
						onChange={(typed) => {
							create.reset();
							setOwnSlug(typed);
						}}
						error={isAboutSlug(create.error) ? create.error?.message : undefined}
					/>
					<details className="more">
						<summary>Metadata</summary>
						<MetadataField value={metadataText} onChange={setMetadataText} />
					</details>
					<div className="row">
						<Button kind="primary" type="submit" busy={create.isPending} disabled={!isReady}>
							Create tenant
						</Button>
					</div>
				</form>
			</Card>
		</div>
	);
}
