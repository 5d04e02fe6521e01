import { isOwnProviderId } from "better-auth-tenant/providers";
import { useState } from "react";
import { providerOf } from "../../providers";
import { Select } from "../../ui/fields";
import type { EffectiveProvider } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { useTenantUrls } from "../current-tenant/tenant-urls";
import { DetailList } from "../details";
import { CALLBACK, type Guide, generalGuide } from "./guides/guide";
import {
	findProduct,
	OPENID_GUIDES,
	OPENID_PRODUCTS,
	type OpenIdProduct,
} from "./guides/openid-guides";
import { SOCIAL_GUIDES } from "./guides/social-guides";
import { callbackDetails } from "./provider-details";

type SetupGuideProps = {
	tenant: Tenant;
	provider: Pick<EffectiveProvider, "providerId" | "callbackURL">;
	/** Of an OpenID Connect provider, if it has one. */
	issuer: string | undefined;
	/** Of an OpenID Connect provider, if somebody has chosen it. */
	product?: OpenIdProduct | undefined;
	/** Whether it is open at first. */
	open: boolean;
};

/** What to do at the provider, step by step, and what to copy. */
export function SetupGuide(props: SetupGuideProps) {
	const { tenant, provider, issuer, open } = props;
	const { providerId } = provider;
	const { name } = providerOf(providerId);
	const [product, setProduct] = useState(props.product ?? findProduct(providerId, issuer));
	const isOpenId = isOwnProviderId(providerId);
	const guide = isOpenId
		? OPENID_GUIDES[product]
		: (SOCIAL_GUIDES[providerId] ?? generalGuide(name));
	return (
		<details className="more guide" open={open}>
			<summary>How to set up {isOpenId ? OPENID_GUIDES[product].name : name}</summary>
			<div className="stack">
				{isOpenId && (
					<Select
						label="Product"
						options={OPENID_PRODUCTS.map((value) => ({ value, label: OPENID_GUIDES[value].name }))}
						value={product}
						onValueChange={(value) => setProduct(value as OpenIdProduct)}
					/>
				)}
				<Steps guide={guide} tenant={tenant} provider={provider} />
				<details className="more">
					<summary>If it does not work</summary>
					<dl className="guide-errors">
						{guide.errors.map(({ says, help }) => (
							<div key={says}>
								<dt>
									<Marked text={says} />
								</dt>
								<dd>
									<Marked text={help} />
								</dd>
							</div>
						))}
					</dl>
				</details>
			</div>
		</details>
	);
}

type StepsProps = Pick<SetupGuideProps, "tenant" | "provider"> & { guide: Guide };

function Steps({ guide, tenant, provider }: StepsProps) {
	const urls = useTenantUrls(tenant.slug);
	return (
		<ol className="guide-steps">
			<li>
				Open{" "}
				{guide.url ? (
					<a href={guide.url} target="_blank" rel="noreferrer">
						{guide.place}
						<span className="visually-hidden"> (new tab)</span>
					</a>
				) : (
					guide.place
				)}
				.
			</li>
			{guide.steps.map((step) => (
				<li key={step}>
					<Marked text={step} />
					{urls && step.includes(CALLBACK) && (
						<DetailList details={callbackDetails(provider, urls)} />
					)}
				</li>
			))}
		</ol>
	);
}

/** A text with `**names**` on a page and `values` in backticks. */
function Marked({ text }: { text: string }) {
	return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
		if (part.startsWith("**")) return <strong key={part}>{part.slice(2, -2)}</strong>;
		if (part.startsWith("`")) return <code key={part}>{part.slice(1, -1)}</code>;
		return part;
	});
}
