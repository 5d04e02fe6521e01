import type { Language } from "../../languages";
import { de } from "./de";
import { type EmailTexts, en } from "./en";
import { es } from "./es";
import { fr } from "./fr";
import { ja } from "./ja";

export const EMAIL_TEXTS: Record<Language, EmailTexts> = { en, de, fr, es, ja };
