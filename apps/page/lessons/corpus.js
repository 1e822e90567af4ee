// A small corpus of three subjects, written for this page.
export const CORPUS = {
  space: ["the rocket reached orbit before dawn", "engineers tested the engine of the new rocket", "the probe sent pictures of the red planet", "astronauts repaired the telescope in orbit",
    "the moon hides behind a thin cloud", "a comet passed close to the sun", "the crew landed on the moon at night", "scientists measured light from a distant star", "the station turns around the earth every day",
    "the launch was delayed by strong wind", "a small satellite watches the weather", "the telescope found a planet near a bright star"],
  sport: ["the team won the game in the last minute", "a late goal decided the match", "the coach praised the young player", "the runner broke the record by a second", "fans waited for the team all night",
    "the goalkeeper saved a hard shot", "she served well and won the set", "the match was delayed by heavy rain", "the player signed a new contract", "our team lost the final by one point",
    "the race started early in the morning", "the referee stopped the game"],
  kitchen: ["boil the pasta in salted water", "slice the onions and fry them in butter", "add the sugar and stir slowly", "bake the bread for forty minutes", "the soup needs salt and a little pepper",
    "mix the flour with warm water", "let the dough rest over night", "serve the fish with lemon and butter", "chop the herbs and add them last", "the cake is done when it turns gold",
    "heat the oil in a large pan", "peel the apples and cut them small"],
};
