import * as z from "zod";

/** Fields of requests and responses, with the description that OpenAPI and the documents have. */

export const text = (description: string) => z.string().meta({ description });
export const textOrNull = (description: string) => z.string().nullable().meta({ description });
export const texts = (description: string) => z.array(z.string()).meta({ description });
export const flag = (description: string) => z.boolean().meta({ description });
export const date = (description: string) => z.date().meta({ description });
