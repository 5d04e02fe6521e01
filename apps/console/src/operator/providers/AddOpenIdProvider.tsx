import { isOwnProviderId, OWN_PROVIDER_PREFIX } from "better-auth-tenant/providers";
import { useState } from "react";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Form, Select, TextField } from "../../ui/fields";
import type { EffectiveProvider } from "../api/providers";
import { useTenant } from "../current-tenant/tenant-context";
import { useTenantUrls } from "../current-tenant/tenant-urls";
import { whyNotSent } from "../save-reasons";
import { CredentialsForm } from "./CredentialsDialog";
import { OPENID_GUIDES, OPENID_PRODUCTS, type OpenIdProduct } from "./guides/openid-guides";

type AddOpenIdProviderProps = {
	known: EffectiveProvider[];
	onSaved: (providerId: string) => void;
};

/** Lets the tenant's people sign in at an OpenID Connect provider of their own. */
export function AddOpenIdProvider({ known, onSaved }: AddOpenIdProviderProps) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<Button kind="primary" onClick={() => setOpen(true)}>
				Add OpenID Connect
			</Button>
			<Dialog title="Add an OpenID Connect provider" open={isOpen} onClose={close} wide>
				<AddForm known={known} onSaved={onSaved} onClose={close} />
			</Dialog>
		</>
	);
}

/** First the id, because the callback URL contains it. Then the credentials. */
function AddForm({ known, onSaved, onClose }: AddOpenIdProviderProps & { onClose: () => void }) {
	const tenant = useTenant();
	const urls = useTenantUrls(tenant.slug);
	const [product, setProduct] = useState<OpenIdProduct>("okta");
	const [chosen, setChosen] = useState<string>();
	const [isReady, setReady] = useState(false);
	const name = (chosen ?? suggestionOf(product)).trim();
	const providerId = `${OWN_PROVIDER_PREFIX}${name}`;
	if (isReady && urls) {
		const path = `/api/auth/tenant/callback/${providerId}:${tenant.id}`;
		const provider = {
			providerId,
			source: "none",
			config: "absent",
			callbackURL: `${urls.serviceOrigin}${path}`,
			lastFailure: null,
		} as const;
		return (
			<CredentialsForm
				tenant={tenant}
				provider={provider}
				config={undefined}
				product={product}
				onClose={onClose}
				onSaved={onSaved}
			/>
		);
	}
	const problem = findProblem(providerId, name, known);
	return (
		<Form autoComplete="off" onSubmit={() => !problem && name && setReady(true)}>
			<Select
				label="Product"
				options={OPENID_PRODUCTS.map((value) => ({ value, label: OPENID_GUIDES[value].name }))}
				value={product}
				onValueChange={(value) => setProduct(value as OpenIdProduct)}
			/>
			<TextField
				label="ID"
				hint="Part of the callback URL. It cannot be changed later. Users do not see it."
				value={chosen ?? suggestionOf(product)}
				onValueChange={setChosen}
				error={problem}
				maxLength={32}
				autoCapitalize="none"
				autoComplete="off"
				spellCheck={false}
				required
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button
					kind="primary"
					type="submit"
					unavailable={urls ? whyNotSent(!problem) : "The page is still loading."}
				>
					Continue
				</Button>
			</footer>
		</Form>
	);
}

const suggestionOf = (product: OpenIdProduct) => (product === "other" ? "" : product);

function findProblem(
	providerId: string,
	name: string,
	known: EffectiveProvider[],
): string | undefined {
	if (name === "") return undefined;
	if (!isOwnProviderId(providerId)) return "Use lowercase letters, digits and hyphens.";
	if (known.some((provider) => provider.providerId === providerId)) {
		return "This tenant has a provider with this ID.";
	}
	return undefined;
}
